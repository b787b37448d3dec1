// The overview follows the project: when something was saved, its tables are fetched again.
'use strict';
let asked = false;
let again = false;

async function refresh() {
  if (asked) { again = true; return; }
  asked = true;
  try {
    const answer = await fetch('/overview');
    if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      document.getElementById('live').replaceWith(page.getElementById('live'));
    }
  } catch { /* the next event tries again */ }
  asked = false;
  if (again) { again = false; refresh(); }
}

let first = true;
const events = new EventSource('/live');
events.onmessage = () => { if (!first) refresh(); first = false; };
