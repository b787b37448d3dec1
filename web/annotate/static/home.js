// The first page: Enter begins or goes on with the first stage that has work. Work that is kept in
// this browser and was not sent yet is listed.
'use strict';
import { element } from './cards.js';
import { unsent } from './queue.js';

const data = JSON.parse(document.getElementById('home').textContent);
document.querySelector('button.main')?.focus();
const tasks = unsent(data.project, data.person);
if (tasks.length) {
  document.querySelector('h1').after(element('p', { class: 'notice', id: 'unsent' }, `${data.words.leftHere} `,
    ...tasks.map((t) => element('a', { href: `/task/${encodeURIComponent(t.stage)}/${encodeURIComponent(t.item)}` }, t.item, ' '))));
}
