// The page of a task: its player, its form, its keys, and saving.
'use strict';
import { Queue, nameOf } from './queue.js';
import { Form, element } from './cards.js';
import { openMedia } from './media.js';

const data = JSON.parse(document.getElementById('task').textContent);
const words = data.words;
const $ = (id) => document.getElementById(id);
const address = (page) => `/${page}/${encodeURIComponent(data.stage)}/${encodeURIComponent(data.item)}`;
const name = nameOf(data.project, data.person, data.stage, data.item);
const open = data.mine && data.state === 'open';

// ---- How long somebody works: while the page is seen and something was done in the last minute.
let active = 0;
let worked = performance.now();
let lastSign = performance.now();
const sign = () => { lastSign = performance.now(); };
for (const type of ['keydown', 'pointerdown', 'pointermove', 'wheel']) addEventListener(type, sign, { passive: true });
setInterval(() => {
  const now = performance.now();
  if (document.visibilityState === 'visible' && (now - lastSign < 60000 || media.playing())) active += now - worked;
  worked = now;
}, 1000);
setInterval(() => {
  if (open && form?.mayChange && document.visibilityState === 'visible') fetch(address('beat'), { method: 'POST', headers: { Accept: 'application/json' } }).catch(() => {});
}, 30000);

// ---- Saving.
const bases = new Map(Object.entries(data.answers).map(([key, a]) => [key, a.seq]));
let ending = '';
const queue = new Queue(name, address('save'), data.person, bases, {
  active: () => { const ms = Math.round(active); active = 0; return ms; },
  changed: showState,
  saved: (event) => {
    if (event.kind === 'submit') ending = 'next';
    if (event.kind === 'release') ending = 'home';
    if (event.kind === 'reopen') ending = 'again';
    if (ending) leave();
  },
  refused: (event, why) => { problem(`${words.refused}: ${why}`); form.card(event.key)?.root.scrollIntoView({ block: 'nearest' }); },
  conflict: (event, theirs) => form.card(event.key)?.conflict(theirs, () => bases.set(event.key, theirs.seq)),
});

function showState() {
  const n = queue?.length || 0;
  $('state').textContent = n ? `${n} ${words.unsent}` : words.saved;
  $('state').dataset.unsent = n;
  const trouble = n && (queue.kept ? queue.trouble : 'notKept');
  if (trouble) problem(words[trouble]);
  else if ($('problem').dataset.kind === 'trouble') problem('');
  $('problem').dataset.kind = trouble ? 'trouble' : '';
}

function problem(text) {
  $('problem').textContent = text;
  $('problem').hidden = !text;
}

// leave goes on once the server has all.
function leave() {
  if (queue.length) return;
  if (ending === 'again' || (ending === 'next' && data.revealsLater)) location.reload();
  else if (ending === 'home') location.assign('/');
  else document.body.appendChild(element('form', { method: 'post', action: `/next/${encodeURIComponent(data.stage)}` })).submit();
}

// ---- The player and the form.
const media = openMedia($('media'), data, words);
let form = null;

function begin(mayChange) {
  $('form').replaceChildren();
  form = new Form($('form'), data, words, mayChange, {
    save: (key, value, undo) => queue.add({ kind: value === undefined ? 'drop' : 'set', key, value, undo: undo || undefined, guide: data.guide }),
    seek: (start, end) => media.seek(start, end),
    now: () => media.now(),
    spans: (spans) => media.setSpans(spans),
  });
  $('submit').hidden = $('release').hidden = !mayChange;
  document.body.dataset.mayChange = mayChange;
  showState();
}

for (const text of data.reveal || []) $('form').before(element('div', { class: 'reveal' }, element('h3', {}, text.title), element('p', {}, text.body)));

function submit() {
  if (!form.mayChange) {
    if (data.mine && data.state === 'submitted') { ending = 'next'; data.revealsLater = false; leave(); }
    return;
  }
  if (ending) { leave(); return; }
  const conflict = document.querySelector('.conflict');
  if (conflict) { problem(words.conflictFirst); conflict.scrollIntoView({ block: 'nearest' }); return; }
  const abstains = form.abstains(); // for which nothing need be seen
  if (media.trouble() && !abstains) { problem(words.notSeen); return; }
  if (data.form.playFirst && !media.played() && !(media.trouble() && abstains)) { problem(words.playFirst); return; }
  problem('');
  queue.add({ kind: 'submit' });
}
$('submit').addEventListener('click', submit);
$('release').addEventListener('click', () => queue.add({ kind: 'release' }));
$('reopen')?.addEventListener('click', () => queue.add({ kind: 'reopen' }));

// What was done in this browser and is not on the server yet goes on top of what the page shows.
for (const e of queue.events) {
  if (e.key) {
    if (e.kind === 'drop') delete data.answers[e.key];
    else data.answers[e.key] = { value: e.value };
  }
}

// One tab at a time may change an item. The lock is the browser's: it ends with the tab.
function withLock(steal) {
  navigator.locks.request(name, steal ? { steal: true } : { ifAvailable: true }, (lock) => {
    if (!lock) {
      begin(false);
      problem(words.otherTab);
      $('problem').append(' ', element('button', { type: 'button', id: 'take-over', onclick: () => withLock(true) }, words.takeOver));
      return undefined;
    }
    if (steal) { location.reload(); return new Promise((done) => setTimeout(done, 2000)); } // what the other tab saved is shown
    queue.start();
    begin(true);
    form.step(0);
    return new Promise(() => {});
  }).catch(() => { queue.stop(); begin(false); problem(words.otherTab); }); // another tab took over
}
if (open && navigator.locks) withLock(false);
else { if (data.mine) queue.start(); begin(open); if (open) form.step(0); }
addEventListener('online', () => queue.later(0));
addEventListener('pagehide', () => queue.send());
addEventListener('beforeunload', (e) => { if (queue.length && !ending) e.preventDefault(); });

// ---- Keys. They sleep where somebody writes.
const list = [['Space', 'keySpace'], [', .', 'keyFrame'], ['← →', 'keySeek'], ['i o', 'keySpan'], ['1 - 9', 'keyDigit'], ['j k', 'keyCards'], ['Enter', 'keyAdd'], ['e', 'keyEdit'],
  ['a x', 'keyAccept'], ['m s', 'keyMerge'], ['Alt ↑ ↓', 'keyMove'], ['p', 'keyPlay'], ['v', 'keyClip'], ['Backspace', 'keyUndo'], ['Ctrl Enter', 'keySubmit'], ['g', 'keyGuide'], ['?', 'keyHelp']];
$('keys').querySelector('dl').append(...list.flatMap(([key, word]) => [element('dt', {}, element('kbd', {}, key)), element('dd', {}, words[word])]));
const help = () => ($('keys').open ? $('keys').close() : $('keys').showModal());
$('show-keys').addEventListener('click', help);

const acts = {
  ' ': () => media.toggle(), ',': () => media.step(-1), '.': () => media.step(1),
  ArrowLeft: (e) => media.skip(e.shiftKey ? -5 : -1), ArrowRight: (e) => media.skip(e.shiftKey ? 5 : 1),
  ArrowUp: (e) => (e.altKey && form.current ? form.move(form.current, -1) : form.step(-1)),
  ArrowDown: (e) => (e.altKey && form.current ? form.move(form.current, 1) : form.step(1)),
  j: () => form.step(1), k: () => form.step(-1), a: () => form.current?.accept(), e: () => form.current?.edit(), p: () => form.current?.play(),
  x: () => form.mayChange && form.current && (form.current.section.strike || form.current.section.merge || form.current.added) && form.current.strike(),
  m: () => form.current && form.merge(form.current), s: () => form.current && form.split(form.current),
  v: () => media.next(), i: () => setTime(0), o: () => setTime(1), g: () => { $('guide').open = !$('guide').open; }, '?': help,
  Enter: () => form.add() || form.current?.edit(), Backspace: () => form.undo() || problem(words.noteSkipped),
};

function setTime(i) {
  if (!form.mayChange) return;
  const card = form.current?.when() ? form.current : form.cards.find((c) => c.when());
  if (card) card.setTime(card.when(), i);
}

addEventListener('keydown', (e) => {
  if ((e.ctrlKey || e.metaKey) && e.key === 'Enter') { e.preventDefault(); submit(); return; }
  const writes = e.target.closest('textarea, input[type=text], input[type=number], select');
  if (writes) {
    if (e.key === 'Escape') { e.preventDefault(); writes.closest('.card')?.focus(); }
    return;
  }
  if (e.ctrlKey || e.metaKey || (e.altKey && !e.key.startsWith('Arrow')) || $('keys').open && e.key !== '?') return;
  if (e.target.closest('button, summary, a') && (e.key === 'Enter' || e.key === ' ')) return;
  if (/^[1-9]$/.test(e.key)) { e.preventDefault(); if (!form.current) form.step(0); form.current?.digit(Number(e.key)); return; }
  const act = acts[e.key];
  if (act) { e.preventDefault(); act(e); }
});
