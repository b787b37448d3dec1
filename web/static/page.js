// What pages do beyond showing: keys that lead on, and times that the player jumps to.
'use strict';

// Keys: j or right arrow and k or left arrow follow the links to the next and to the one
// before; / goes to the search.
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest('input, select, textarea, video, audio')) return;
  const links = { j: 'next', ArrowRight: 'next', k: 'prev', ArrowLeft: 'prev' };
  if (event.key === '/') {
    const search = document.querySelector('input[type=search]');
    if (search) { event.preventDefault(); search.focus(); }
  } else if (links[event.key]) {
    const link = document.querySelector(`a[rel=${links[event.key]}]`);
    if (link) { event.preventDefault(); link.click(); }
  }
});

// A button with a time sets the player to it.
document.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-at]');
  const player = document.querySelector('video, audio');
  if (!button || !player) return;
  player.currentTime = Number(button.dataset.at);
  player.play().catch(() => {}); // a browser may want to be asked for that
});

// A part of a page that follows a run waits while somebody works with it.
document.addEventListener('htmx:beforeRequest', (event) => {
  const part = event.detail.elt;
  if (part.id && part === event.detail.target && part.querySelector('details[open], :checked')) event.preventDefault();
});
