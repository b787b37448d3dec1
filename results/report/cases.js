'use strict';
// Shows the cases that stand in this page, packed: none of it is asked for elsewhere.
(function () {
  const cases = JSON.parse(document.getElementById('index').textContent); // [unit, score, outcome, group of texts]
  const by = (id) => document.getElementById(id);
  const most = 300; // rows of the list
  const unpacked = new Map();
  let order = [], at = -1;

  async function texts(group) {
    if (!unpacked.has(group)) {
      const packed = Uint8Array.from(atob(by('cases-' + group).textContent.trim()), (c) => c.charCodeAt(0));
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
      unpacked.set(group, new Response(stream).text().then((text) => text.split('\u0000')));
    }
    return unpacked.get(group);
  }

  async function show(i, focus) {
    const place = order.indexOf(i);
    at = place;
    const group = cases[i][3];
    let first = i;
    while (first > 0 && cases[first - 1][3] === group) first--;
    const all = await texts(group);
    by('shown').innerHTML = all[i - first]; // made and escaped by the program that made this page
    by('shown').hidden = false;
    by('still').hidden = true;
    for (const b of by('list').children) b.setAttribute('aria-current', String(Number(b.dataset.i) === i));
    history.replaceState(null, '', '#case-' + (i + 1));
    if (focus) by('shown').focus();
  }

  function list() {
    const words = by('words').value.toLowerCase(), outcome = by('outcome').value, way = by('order').value;
    order = [];
    for (let i = 0; i < cases.length; i++) {
      if ((!words || cases[i][0].toLowerCase().includes(words)) && (!outcome || cases[i][2] === outcome)) order.push(i);
    }
    const sign = way === 'best' ? -1 : 1;
    const value = (i) => cases[i][1] === null ? Infinity : sign * cases[i][1];
    if (way !== 'given') order.sort((a, b) => value(a) - value(b) || a - b);
    const box = by('list');
    box.replaceChildren();
    for (const i of order.slice(0, most)) {
      const b = document.createElement('button');
      b.type = 'button';
      b.dataset.i = i;
      b.textContent = cases[i][0];
      const small = document.createElement('small');
      small.textContent = cases[i][1] === null ? cases[i][2] : cases[i][4];
      b.append(' ', small);
      b.addEventListener('click', () => show(i, true));
      box.append(b);
    }
    by('found').textContent = order.length > most ? order.length + ' cases, the first ' + most + ' are listed' : order.length + ' cases';
  }

  function step(by_) {
    if (order.length === 0) return;
    at = Math.min(order.length - 1, Math.max(0, at + by_));
    show(order[at], false);
  }

  for (const id of ['words', 'order', 'outcome']) by(id).addEventListener('input', list);
  by('find').addEventListener('submit', (e) => e.preventDefault());
  by('back').addEventListener('click', () => step(-1));
  by('next').addEventListener('click', () => step(1));
  document.addEventListener('keydown', (e) => {
    if (e.target.closest('input, select, textarea') || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === 'j') step(1);
    if (e.key === 'k') step(-1);
    if (e.key === '/') { e.preventDefault(); by('words').focus(); }
  });
  by('find').hidden = by('list').hidden = false;
  list();
  const asked = /^#case-(\d+)$/.exec(location.hash);
  if (asked && cases[asked[1] - 1]) show(Number(asked[1]) - 1, false);
})();
