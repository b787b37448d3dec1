// What a person did and the server has not yet: kept in the browser's storage, sent in order,
// each thing once. An event stays here until the server says that it is on its disk.
'use strict';

const pause = 400; // milliseconds from the last change until it is sent
const longest = 15000; // between two tries
const tryTimeout = 60000; // milliseconds
const keepaliveLimit = 60000; // bytes that a browser still sends when its page is closed

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

// nameOf is where the events of a task are kept in the browser.
export const nameOf = (project, person, stage, item) => `omniscope:${[project, person, stage, item].map(encodeURIComponent).join(':')}`;

// unsent are the tasks of a person of which something is kept here that the server has not.
export function unsent(project, person) {
  const prefix = nameOf(project, person, '', '').slice(0, -1);
  const names = storage((kept) => Object.keys(kept).filter((name) => name.startsWith(prefix))) || [];
  return names.map((name) => { const [stage, item] = name.slice(prefix.length).split(':').map(decodeURIComponent); return { stage, item }; });
}

// storage uses the browser's storage; undefined = it is full, or switched off.
function storage(use) {
  try { return use(localStorage); } catch { return undefined; }
}

export class Queue {
  // name is where the events are kept; address is where they are sent, as those of person. bases has
  // the place of the last event of each answer that this page knows. on has functions: changed(),
  // saved(event, receipt), refused(event, why), conflict(event, theirs), active() = milliseconds of
  // work since it was asked last. Nothing is sent before start().
  constructor(name, address, person, bases, on) {
    Object.assign(this, { name, address, person, bases, on, stopped: true, kept: true, busy: false, failures: 0, trouble: '', timer: 0 });
    this.events = JSON.parse(storage((kept) => kept.getItem(name)) || '[]');
  }

  get length() { return this.stopped ? 0 : this.events.length; }

  // start sends what is kept. One tab at a time does: two would overwrite what the other keeps.
  start() {
    this.stopped = false;
    this.later(0);
  }

  // stop leaves what is kept to another tab.
  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    this.on.changed();
  }

  keep() {
    if (!this.stopped) {
      const done = storage((kept) => { this.events.length ? kept.setItem(this.name, JSON.stringify(this.events)) : kept.removeItem(this.name); return true; });
      this.kept = Boolean(done) || !this.events.length;
    }
    this.on.changed();
  }

  // add keeps an event. A change of an answer takes the place of one that was not sent yet. One that
  // was sent stays as it is: the server may have it, although its reply did not come.
  add(event) {
    if (!event.key && this.events.some((e) => !e.key)) return; // pressed twice
    const before = event.key && this.events.findLast((e) => e.key === event.key);
    if (before && !before.sent) {
      Object.assign(before, { kind: event.kind, value: event.value, undo: event.undo });
    } else {
      const end = event.key ? this.events.findIndex((e) => !e.key && !e.sent) : -1; // what ends the task waits for it
      this.events.splice(end < 0 ? this.events.length : end, 0, { id: uuid(), ...event, base: this.bases.get(event.key) || 0, after: before ? before.id : '' });
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
    if (this.busy || this.stopped || !this.events.length) return;
    this.busy = true;
    const batch = this.next();
    if (!batch[0].sent) batch[0].active_ms = this.on.active();
    for (const e of batch) e.sent = true;
    this.keep();
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
    this.busy = false;
    this.keep();
    if (this.length) this.later(delay);
  }

  async post(batch) {
    const events = batch.map((e) => ({ ...e, after: undefined, sent: undefined }));
    const body = JSON.stringify({ person: this.person, events });
    const answer = await fetch(this.address, { method: 'POST', headers: { 'Content-Type': 'application/json', Accept: 'application/json' }, body, keepalive: body.length < keepaliveLimit, signal: AbortSignal.timeout(tryTimeout) });
    if (answer.ok) return (await answer.json()).receipts;
    const why = (await answer.text()).trim();
    // Anything else may come from what is between the browser and the server, and pass.
    if (answer.status !== 400 && answer.status !== 413) throw Object.assign(new Error(why), { status: answer.status });
    if (batch.length === 1) return [{ id: batch[0].id, error: why }]; // it will never be taken
    return this.post(batch.slice(0, 1)); // one of them cannot be taken: which?
  }

  settle(receipts) {
    for (const r of receipts) {
      const event = this.events.find((e) => e.id === r.id);
      if (!event) continue;
      this.events.splice(this.events.indexOf(event), 1);
      if (r.error || r.conflict) this.events = this.events.filter((e) => e.key || e.sent); // the task does not end before somebody has seen it
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
