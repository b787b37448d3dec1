// What a person did and the server has not yet: kept in the browser's storage, sent in order,
// each thing once. An event stays here until the server says that it is on its disk.
'use strict';

const pause = 400; // milliseconds from the last change until it is sent
const longest = 15000; // between two tries

// uuid makes an id that sorts by time (UUID version 7).
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  let now = Date.now();
  for (let i = 5; i >= 0; i--) { bytes[i] = now % 256; now = Math.floor(now / 256); }
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export class Queue {
  // name is where the events are kept; address is where they are sent. bases has the place of the
  // last event of each answer that this page knows. on has functions: changed(), saved(event,
  // receipt), refused(event, why), conflict(event, theirs), active() = milliseconds of work since
  // it was asked last.
  constructor(name, address, bases, on) {
    Object.assign(this, { name, address, bases, on, busy: false, failures: 0, trouble: '', timer: 0 });
    this.events = JSON.parse(localStorage.getItem(name) || '[]');
  }

  get length() { return this.events.length; }

  keep() {
    if (this.events.length) localStorage.setItem(this.name, JSON.stringify(this.events));
    else localStorage.removeItem(this.name);
    this.on.changed();
  }

  // add keeps an event. A change of an answer takes the place of one that waits to be sent.
  add(event) {
    const before = event.key && this.events.findLast((e) => e.key === event.key);
    if (before && !this.sending?.includes(before)) {
      Object.assign(before, { kind: event.kind, value: event.value, undo: event.undo });
    } else {
      this.events.push({ id: uuid(), ...event, base: this.bases.get(event.key) || 0, after: before ? before.id : '' });
    }
    this.keep();
    this.later(event.key ? pause : 0);
  }

  later(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), delay);
  }

  // next are the events that can be sent together: one of each answer, since the second must know
  // the place of the first, and what ends a task only when nothing is before it.
  next() {
    const keys = new Set();
    const batch = [];
    for (const e of this.events) {
      if (e.key ? keys.has(e.key) || e.after : batch.length > 0) break;
      batch.push(e);
      if (!e.key || batch.length === 200) break;
      keys.add(e.key);
    }
    return batch;
  }

  async send() {
    if (this.busy || !this.events.length) return;
    this.busy = true;
    const batch = this.sending = this.next();
    let delay = 0;
    try {
      this.settle(await this.post(batch));
      this.failures = 0;
      this.trouble = '';
    } catch (error) {
      this.failures++;
      this.trouble = error.status === 401 ? 'signedOut' : 'offline';
      delay = Math.min(longest, 250 * 2 ** this.failures);
    }
    this.sending = null;
    this.busy = false;
    this.keep();
    if (this.events.length) this.later(delay);
  }

  async post(batch) {
    const active = this.on.active();
    const events = batch.map((e, i) => ({ ...e, after: undefined, active_ms: i ? 0 : active }));
    const answer = await fetch(this.address, { method: 'POST', headers: { 'Content-Type': 'application/json', Accept: 'application/json' }, body: JSON.stringify({ events }) });
    if (answer.ok) return (await answer.json()).receipts;
    const why = (await answer.text()).trim();
    if (answer.status === 401 || answer.status >= 500 || answer.status === 429) throw Object.assign(new Error(why), { status: answer.status });
    if (batch.length === 1) return [{ id: batch[0].id, error: why }]; // it will never be taken
    this.sending = batch.slice(0, 1); // one of them cannot be taken: which?
    return this.post(this.sending);
  }

  settle(receipts) {
    for (const r of receipts) {
      const event = this.events.find((e) => e.id === r.id);
      if (!event) continue;
      this.events.splice(this.events.indexOf(event), 1);
      if (r.error) this.on.refused(event, r.error);
      else if (r.conflict) this.on.conflict(event, r.conflict);
      else {
        if (event.key) this.bases.set(event.key, r.seq);
        this.on.saved(event, r);
      }
      for (const later of this.events) {
        if (later.after === event.id) { later.after = ''; later.base = this.bases.get(event.key) || 0; }
      }
    }
  }
}
