// The clips of a task: each with its player, made once the server has it ready. Keys go to one of
// them, the first or the one that was used last.
'use strict';
import { element } from './cards.js';

// openMedia shows the clips of a task in root.
export function openMedia(root, data, words) {
  const clips = (data.media || []).map((m) => new Clip(root, m, words));
  document.querySelector('main.task').classList.toggle('no-media', !clips.length);
  let current = clips[0];
  for (const c of clips) c.root.addEventListener('pointerdown', () => { current = c; });
  const player = () => current?.player;
  return {
    toggle: () => player()?.toggle(),
    step: (by) => player()?.step(by),
    skip: (by) => { const p = player(); if (p) p.seek(Math.max(0, p.now().time + by)); },
    seek: (start, end) => { if (end === undefined || end <= start) player()?.seek(start); else player()?.playSpan(start, end); },
    // now is the time of the frame that is seen. Who marks while it plays is late by a moment.
    now: () => { const p = player(); return p && (p.now().playing ? Math.max(0, p.now().time - reaction) : p.now().time); },
    setSpans: (spans) => { for (const c of clips) c.setSpans(spans); },
    playing: () => clips.some((c) => c.player?.now().playing),
    played: () => clips.every((c) => c.played()),
    trouble: () => clips.some((c) => c.trouble),
    next: () => { if (clips.length > 1) { current?.player?.pause(); current = clips[(clips.indexOf(current) + 1) % clips.length]; for (const c of clips) c.root.classList.toggle('current', c === current); } },
  };
}

// trouble: a clip cannot be shown. The server decides for itself whether it showed a clip; this is for words in time.
const reaction = 0.25; // seconds from seeing something to the key
const enough = 0.9; // of a clip that must have been played

class Clip {
  constructor(root, media, words) {
    Object.assign(this, { media, words, player: null, spans: [], trouble: media.trouble || '' });
    this.root = element('div', { class: 'player' }, media.title ? element('h3', {}, media.title) : '');
    root.append(this.root);
    this.note = element('p', { role: 'status' }, media.trouble ? `${words.noMedia} (${media.trouble})` : words.preparing);
    this.note.classList.toggle('trouble', Boolean(media.trouble));
    this.root.append(this.note);
    this.wait();
  }

  // wait shows the clip once it is ready. What failed may be tried again on the server.
  async wait() {
    for (;;) {
      let pause = 1000; // milliseconds
      try {
        const answer = await fetch(`${this.media.address}ready`, { headers: { Accept: 'application/json' } });
        if (answer.ok) {
          const info = await answer.json();
          if (info.ready) { this.trouble = ''; this.open(info); return; }
          this.note.textContent = this.words.preparing;
          this.note.classList.remove('trouble');
          this.trouble = '';
        } else if (answer.status < 500) {
          this.fail((await answer.text()).trim());
          pause = 10000;
        }
      } catch { /* the server does not answer: later */ }
      await new Promise((done) => setTimeout(done, pause));
    }
  }

  open(info) {
    this.note.remove();
    const at = (name) => info.address + name;
    this.element = element(info.film ? 'video' : 'audio', { preload: 'auto', playsinline: true, src: at(info.player), tabindex: -1 });
    const clock = element('output', {});
    const button = (text, title, act) => element('button', { type: 'button', title, onclick: act }, text);
    const shots = (info.shots || []).map((s) => element('button', { type: 'button', 'data-shot': true, 'data-seek': s.time, title: `${s.time.toFixed(3)} s`, tabindex: -1 }, element('img', { src: at(s.picture), alt: '', loading: 'lazy' })));
    this.root.append(this.element,
      element('div', { class: 'controls' }, button(this.words.playPause, 'Space', () => this.player?.toggle()), button(this.words.back, ',', () => this.player?.step(-1)), button(this.words.forward, '.', () => this.player?.step(1)), clock),
      info.peaks ? element('canvas', {}) : '', shots.length ? element('div', { class: 'shots' }, ...shots) : '');
    if (info.times) this.root.dataset.times = at(info.times);
    if (info.peaks) this.root.dataset.peaks = at(info.peaks);
    this.root.addEventListener('presented', (e) => {
      clock.textContent = `${e.detail.time.toFixed(3)} s${e.detail.frame < 0 ? '' : ` · ${this.words.frame} ${e.detail.frame}`}`;
    });
    const player = makePlayer(this.root);
    player.ready.then(() => { this.player = player; this.root.dataset.ready = true; player.setSpans(this.spans); }, (why) => { this.fail(why); });
    this.element.addEventListener('error', () => this.fail(this.element.error));
  }

  fail(why) {
    this.trouble = `${why?.message || why}`;
    this.note.textContent = `${this.words.noMedia} (${this.trouble})`;
    this.note.classList.add('trouble');
    this.root.append(this.note);
  }

  setSpans(spans) {
    this.spans = spans;
    this.player?.setSpans(spans);
  }

  played() {
    const e = this.element;
    if (!e || !e.duration) return false;
    let seconds = 0;
    for (let i = 0; i < e.played.length; i++) seconds += e.played.end(i) - e.played.start(i);
    return seconds >= enough * e.duration;
  }
}
