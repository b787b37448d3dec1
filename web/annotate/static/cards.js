// The cards of a form: what is shown, what is answered, and which card the keys act on.
'use strict';

// element makes an element with attributes and children. Texts are texts: no HTML is made of them.
export function element(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === undefined || value === null) continue;
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value === true ? '' : value);
  }
  e.append(...children.filter((c) => c !== undefined && c !== null && c !== ''));
  return e;
}

const clock = (seconds) => `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(3).padStart(6, '0')}`;

function textBlock(text, seek) {
  const body = element('p', { class: 'body', lang: text.language || false, dir: 'auto' }, text.body || '');
  const block = element('div', { class: 'text' }, text.title ? element('h3', {}, text.title) : '', body);
  if (text.start !== undefined) {
    block.append(element('button', { type: 'button', class: 'time', onclick: () => seek(text.start, text.end) }, text.end === undefined ? clock(text.start) : `${clock(text.start)} to ${clock(text.end)}`));
  }
  return block;
}

const isEmpty = (v) => v === undefined || v === '' || (Array.isArray(v) && !v.length);

// A Card is one thing to answer, on the page.
class Card {
  constructor(form, section, data) {
    Object.assign(this, { form, section, data, key: data.id ? `${section.name}/${data.id}` : section.name });
    this.value = form.value(this.key);
    this.build();
  }

  get added() { return !this.section.cards?.some((c) => (c.id || '') === this.data.id); }
  get struck() { return Boolean(this.value?.struck); }
  get isDraft() { return this.value === undefined && Boolean(this.data.draft); }
  get shown() { return this.value ?? this.data.draft ?? {}; }

  build() {
    const w = this.form.words;
    const texts = (this.data.texts || []).map((t) => textBlock(t, this.form.seek));
    this.note = element('p', { class: 'note' });
    this.parts = (this.section.fields || []).map((f) => this.buildField(f));
    const button = (word, act, title) => element('button', { type: 'button', title, onclick: () => { act(); } }, w[word]);
    this.buttons = element('p', { class: 'acts' },
      this.data.draft ? button('accept', () => this.accept(), 'a') : '',
      this.section.strike || this.section.merge || this.added ? button(this.struck ? 'unstrike' : 'strike', () => this.strike(), 'x') : '',
      this.section.merge ? button('merge', () => this.form.merge(this), 'm') : '',
      this.section.merge && this.shown.from?.length > 1 ? button('split', () => this.form.split(this), 's') : '',
      this.section.order ? button('up', () => this.form.move(this, -1), 'Alt+↑') : '',
      this.section.order ? button('down', () => this.form.move(this, 1), 'Alt+↓') : '');
    this.root = element('article', { class: 'card', tabindex: 0, 'data-key': this.key, 'aria-label': this.data.title || this.key, onfocusin: () => this.form.choose(this, false) },
      this.data.title ? element('h3', {}, this.data.title) : '',
      this.data.start !== undefined ? textBlock({ start: this.data.start, end: this.data.end }, this.form.seek) : '',
      texts.length ? element('div', { class: this.section.columns ? 'texts columns' : 'texts' }, ...texts) : '',
      this.note, element('div', { class: 'fields' }, ...this.parts.map((p) => p.root)), this.buttons);
    this.fill();
  }

  rebuild() {
    const old = this.root;
    const focused = old.contains(document.activeElement);
    this.build();
    old.replaceWith(this.root);
    if (focused) this.root.focus();
  }

  buildField(f) {
    const id = `${this.key}:${f.name}`;
    const part = { field: f };
    const changed = () => this.changed();
    const label = element('span', { class: 'label' }, f.label || f.name, f.optional ? '' : ' *');
    const help = f.help ? element('small', {}, f.help) : '';
    if (f.type === 'choose' || f.type === 'check') {
      part.inputs = f.choices.map((c) => element('input', { type: f.type === 'check' ? 'checkbox' : 'radio', name: id, value: c.value, onchange: changed }));
      part.root = element('fieldset', {}, element('legend', {}, f.label || f.name, f.optional ? '' : ' *'), help,
        ...f.choices.map((c, i) => element('label', { class: 'choice', title: c.help }, part.inputs[i], i < 9 ? element('kbd', {}, String(i + 1)) : '', element('span', {}, c.label || c.value, c.help ? element('small', {}, ` ${c.help}`) : ''))));
      part.read = () => { const on = part.inputs.filter((i) => i.checked).map((i) => i.value); return f.type === 'check' ? on : on[0]; };
      part.write = (v) => { for (const i of part.inputs) i.checked = f.type === 'check' ? (v || []).includes(i.value) : v === i.value; };
    } else if (f.type === 'when') {
      part.inputs = ['start', 'end'].map((name) => element('input', { type: 'number', step: '0.001', min: 0, 'aria-label': `${f.label || f.name}: ${name}`, onchange: changed }));
      const set = (i) => () => this.setTime(part, i);
      part.root = element('div', { class: 'field when' }, label, help, part.inputs[0], element('button', { type: 'button', title: 'i', onclick: set(0) }, this.form.words.setStart),
        part.inputs[1], element('button', { type: 'button', title: 'o', onclick: set(1) }, this.form.words.setEnd), element('button', { type: 'button', title: 'p', onclick: () => this.play() }, this.form.words.play));
      part.read = () => { const [a, b] = part.inputs.map((i) => (i.value === '' ? NaN : Number(i.value))); return Number.isNaN(a) ? undefined : [a, Number.isNaN(b) ? a : b]; };
      part.write = (v) => { part.inputs.forEach((input, i) => { input.value = v ? v[i] : ''; }); };
    } else {
      const input = f.type === 'prose' ? element('textarea', { rows: 3 }) : element('input', { type: 'text', autocomplete: 'off' });
      input.maxLength = f.max || 10000;
      input.dir = 'auto';
      input.addEventListener('input', changed);
      part.inputs = [input];
      part.root = element('label', { class: 'field' }, label, help, input);
      if (f.names) this.form.offer(input, f);
      part.read = () => input.value;
      part.write = (v) => { input.value = v ?? ''; if (f.type === 'prose') input.rows = Math.min(12, Math.max(2, Math.ceil(input.value.length / 60) + 1)); };
    }
    for (const i of part.inputs) i.disabled = !this.form.mayChange;
    return part;
  }

  // fill shows the card's value.
  fill() {
    for (const part of this.parts) part.write(this.shown[part.field.name]);
    const w = this.form.words;
    this.root.classList.toggle('struck', this.struck);
    this.root.classList.toggle('draft', this.isDraft);
    this.note.textContent = this.struck ? w.struck : this.isDraft ? w.draft : '';
    this.note.hidden = !this.note.textContent;
    for (const b of this.buttons.children) b.disabled = !this.form.mayChange;
  }

  // collected is the value that the fields hold, with what is said of the card itself.
  collected() {
    const value = {};
    for (const name of ['struck', 'from', 'order']) {
      if (!isEmpty(this.shown[name])) value[name] = this.shown[name];
    }
    for (const part of this.parts) {
      const v = part.read();
      if (!isEmpty(v)) value[part.field.name] = v;
    }
    return value;
  }

  changed() {
    this.set(this.collected());
    this.root.classList.remove('draft');
    this.note.hidden = true;
  }

  set(value, undo = false) {
    this.value = value;
    this.form.save(this, value, undo);
  }

  accept() {
    if (!this.isDraft) return;
    this.set({ ...this.data.draft });
    this.fill();
  }

  strike() {
    const value = { ...this.collected(), struck: !this.struck };
    if (!value.struck) delete value.struck;
    this.set(value);
    this.rebuild();
  }

  // show shows a value that was saved before, or elsewhere.
  show(value) {
    this.value = value;
    this.rebuild();
  }

  setTime(part, i) {
    const at = this.form.now();
    if (at === undefined) return;
    part.inputs[i].value = at.toFixed(3);
    if (i === 0 && part.inputs[1].value !== '' && Number(part.inputs[1].value) < at) part.inputs[1].value = '';
    if (i === 1 && (part.inputs[0].value === '' || Number(part.inputs[0].value) > at)) part.inputs[0].value = at.toFixed(3);
    this.changed();
  }

  when() { return this.parts.find((p) => p.field.type === 'when'); }

  span() {
    const own = this.when()?.read();
    return own || (this.data.start !== undefined ? [this.data.start, this.data.end ?? this.data.start + 3] : undefined);
  }

  play() { const s = this.span(); if (s) this.form.seek(s[0], s[1]); }

  // digit chooses by number, in the field that has the focus or the first that is not answered.
  digit(n) {
    const choices = this.parts.filter((p) => p.field.type === 'choose' || p.field.type === 'check');
    const part = choices.find((p) => p.root.contains(document.activeElement)) || choices.find((p) => isEmpty(p.read())) || choices[0];
    const input = part?.inputs[n - 1];
    if (!input || input.disabled) return;
    input.click();
    if (part.field.type === 'choose' && this.root.contains(document.activeElement)) this.root.focus();
  }

  edit() {
    const part = this.parts.find((p) => p.field.type === 'prose' || p.field.type === 'words');
    part?.inputs[0].focus();
  }

  conflict(theirs, use) {
    const w = this.form.words;
    const text = element('code', {}, JSON.stringify(theirs.value ?? null));
    const mine = this.collected();
    const banner = element('div', { class: 'conflict', role: 'alert' }, element('strong', {}, w.conflict), ' ', text, ' ',
      element('button', { type: 'button', onclick: () => { banner.remove(); use(); this.show(theirs.value ?? undefined); } }, w.keepTheirs),
      element('button', { type: 'button', onclick: () => { banner.remove(); use(); this.set(mine); } }, w.useMine));
    this.root.querySelector('.conflict')?.remove();
    this.root.prepend(banner);
    this.root.scrollIntoView({ block: 'nearest' }); // and no focus: somebody may write
  }
}

// A Form is all cards. on has save(key, value, undo), seek(start, end), now().
export class Form {
  constructor(root, data, words, mayChange, on) {
    Object.assign(this, { root, data, words, mayChange, on, cards: [], undone: [] });
    for (const text of data.form.texts || []) root.append(textBlock(text, this.seek));
    for (const section of data.form.sections || []) this.buildSection(section);
    this.count();
  }

  seek = (start, end) => this.on.seek(start, end);
  now() { return this.on.now(); }
  value(key) { return this.data.answers[key]?.value; }

  buildSection(section) {
    section.list = element('div', { class: 'cards' });
    section.counter = element('small', { class: 'counter' });
    this.root.append(element('section', { class: 'section' },
      element('h2', {}, section.title || section.name, ' ', section.counter), section.help ? element('p', { class: 'dim' }, section.help) : '', section.list,
      section.add ? element('button', { type: 'button', disabled: !this.mayChange, title: 'Enter', onclick: () => this.add(section) }, words(this, 'add')) : ''));
    for (const card of section.cards || []) this.append(section, { ...card, id: card.id || '' });
    const given = new Set(this.cards.map((c) => c.key));
    const added = Object.keys(this.data.answers).filter((k) => k.startsWith(`${section.name}/`) && !given.has(k)).sort();
    for (const key of added) this.append(section, { id: key.slice(section.name.length + 1) });
    this.arrange(section);
  }

  append(section, data) {
    const card = new Card(this, section, data);
    this.cards.push(card);
    section.list.append(card.root);
    return card;
  }

  // arrange puts the cards of a section in their order: those that were moved at their places.
  arrange(section) {
    if (!section.order) return;
    const mine = this.of(section);
    const place = new Map(mine.map((c, i) => [c, c.value?.order ?? i]));
    mine.sort((a, b) => place.get(a) - place.get(b));
    mine.forEach((c) => { c.place = place.get(c); section.list.append(c.root); });
    this.cards = this.cards.filter((c) => c.section !== section).concat(mine);
    const order = this.data.form.sections;
    this.cards.sort((a, b) => order.indexOf(a.section) - order.indexOf(b.section));
  }

  of(section) { return this.cards.filter((c) => c.section === section); }

  count() {
    for (const section of this.data.form.sections || []) {
      const n = this.of(section).filter((c) => c.value !== undefined && !c.struck).length;
      section.counter.textContent = section.want ? `${n} ${this.words.of} ${section.want}` : '';
    }
    this.on.spans?.(this.cards.filter((c) => !c.struck && c.span()).map((c) => ({ start: c.span()[0], end: c.span()[1], label: c.data.title || '' })));
  }

  save(card, value, undo) {
    if (!this.mayChange) return;
    if (!undo) this.undone.push({ card, before: this.data.answers[card.key]?.value });
    this.data.answers[card.key] = { value };
    this.on.save(card.key, value, undo);
    this.count();
  }

  undo() {
    const last = this.undone.pop();
    if (!last) return false;
    const { card, before } = last;
    card.value = before;
    if (before === undefined) delete this.data.answers[card.key];
    else this.data.answers[card.key] = { value: before };
    this.on.save(card.key, before, true);
    if (before === undefined && card.added) { card.root.remove(); this.cards.splice(this.cards.indexOf(card), 1); } else card.rebuild();
    this.count();
    return true;
  }

  choose(card, focus = true) {
    this.current?.root.classList.remove('current');
    this.current = card;
    card?.root.classList.add('current');
    if (focus) card?.root.focus();
  }

  step(by) {
    const i = this.cards.indexOf(this.current);
    const next = this.cards[i < 0 ? 0 : Math.min(this.cards.length - 1, Math.max(0, i + by))];
    if (next) { this.choose(next); next.root.scrollIntoView({ block: 'nearest' }); }
  }

  add(section = this.current?.section.add ? this.current.section : this.data.form.sections.find((s) => s.add)) {
    if (!section?.add || !this.mayChange) return false;
    const card = this.append(section, { id: newID() });
    const when = card.when();
    const at = this.now();
    if (when && at !== undefined) when.inputs[0].value = at.toFixed(3);
    this.choose(card);
    const first = card.parts.find((p) => p.field.type !== 'when' && p.field.type !== 'choose' && p.field.type !== 'check');
    first?.inputs[0].focus();
    card.root.scrollIntoView({ block: 'nearest' });
    return true;
  }

  above(card) {
    const mine = this.of(card.section).filter((c) => !c.struck || c === card);
    return mine[mine.indexOf(card) - 1];
  }

  merge(card) {
    const into = this.above(card);
    if (!card.section.merge || !into || card.struck) return;
    const sources = (c) => (c.shown.from?.length ? c.shown.from : [c.key]);
    into.set({ ...into.collected(), from: [...new Set([...sources(into), ...sources(card)])] });
    card.set({ ...card.collected(), struck: true });
    into.rebuild();
    card.rebuild();
    this.choose(into);
  }

  // split takes the last source out of a card: into the card that it was, or a new one.
  split(card) {
    const from = card.shown.from || [];
    if (!card.section.merge || from.length < 2 || !this.mayChange) return;
    const last = from[from.length - 1];
    const other = this.of(card.section).find((c) => c !== card && c.struck && (c.key === last || c.shown.from?.includes(last)));
    const gone = other ? new Set(other.shown.from || [other.key]) : new Set([last]);
    card.set({ ...card.collected(), from: from.filter((k) => !gone.has(k)) });
    if (other) {
      const value = other.collected();
      delete value.struck;
      other.set(value);
      other.rebuild();
    } else {
      const made = this.append(card.section, { id: newID() });
      made.set({ ...card.collected(), from: [last] });
      made.rebuild();
      card.root.after(made.root);
      this.choose(made);
    }
    card.rebuild();
  }

  // move puts a card one place up or down: half way between its new neighbours.
  move(card, by) {
    if (!card.section.order || !this.mayChange) return;
    this.arrange(card.section);
    const mine = this.of(card.section);
    const i = mine.indexOf(card) + by;
    if (i < 0 || i >= mine.length) return;
    const [low, high] = by < 0 ? [mine[i - 1]?.place ?? mine[i].place - 2, mine[i].place] : [mine[i].place, mine[i + 1]?.place ?? mine[i].place + 2];
    card.set({ ...card.collected(), order: (low + high) / 2 });
    this.arrange(card.section);
    this.choose(card);
  }

  // offer lists names while somebody writes <.
  offer(input, field) {
    const list = element('ul', { class: 'offer', hidden: true });
    input.after(list);
    const names = () => {
      const [section, name] = (field.names || '').split('.');
      const written = this.cards.filter((c) => c.section.name === section && !c.struck).map((c) => c.shown[name]);
      return [...new Set([...(this.data.form.known?.[field.names] || []), ...written])].filter((n) => n);
    };
    const begun = () => /<([^<>]*)$/.exec(input.value.slice(0, input.selectionStart));
    const take = (name) => {
      const m = begun();
      const at = input.selectionStart;
      input.setRangeText(`<${name}>`, at - m[0].length, at, 'end');
      list.hidden = true;
      input.dispatchEvent(new Event('input'));
    };
    const show = () => {
      const m = begun();
      const fit = m ? names().filter((n) => n.toLowerCase().startsWith(m[1].toLowerCase())) : [];
      list.replaceChildren(...fit.map((n, i) => element('li', { class: i ? false : 'first', onmousedown: (e) => { e.preventDefault(); take(n); } }, n)));
      list.hidden = !fit.length;
    };
    setTimeout(() => input.after(list)); // the field is in the page by then
    input.addEventListener('input', show);
    input.addEventListener('blur', () => { list.hidden = true; });
    input.addEventListener('keydown', (e) => {
      if (list.hidden) return;
      const marked = list.querySelector('.first');
      if (e.key === 'Enter' || e.key === 'Tab') { e.preventDefault(); e.stopPropagation(); take(marked.textContent); }
      if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
        const next = e.key === 'ArrowDown' ? marked.nextElementSibling : marked.previousElementSibling;
        if (next) { marked.classList.remove('first'); next.classList.add('first'); }
        e.preventDefault();
        e.stopPropagation();
      }
      if (e.key === 'Escape') { list.hidden = true; e.stopPropagation(); }
    });
  }

  card(key) { return this.cards.find((c) => c.key === key); }

  // abstains reports whether an answer says that this person cannot judge.
  abstains() {
    return this.cards.some((c) => (c.section.fields || []).some((f) => (f.choices || []).some((o) => o.unseen && c.value?.[f.name] === o.value)));
  }
}

const words = (form, name) => form.words[name];

// newID is that of a card that somebody adds.
const newID = () => Array.from(crypto.getRandomValues(new Uint8Array(6)), (b) => b.toString(16).padStart(2, '0')).join('');
