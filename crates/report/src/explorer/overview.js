'use strict';
// The address names the check whose error is shown: #check=2.
const pages = JSON.parse(document.getElementById('pages').textContent);
const [list, frame, back] = ['main', 'iframe', '#back'].map((it) => document.querySelector(it));
let shown;

function show() {
  const number = /^#check=(\d+)$/.exec(location.hash)?.[1];
  const page = pages[number];
  list.hidden = Boolean(page);
  frame.hidden = back.hidden = !page;
  if (!page) return;
  if (shown !== number) frame.srcdoc = page;
  shown = number;
  frame.focus();
}

back.addEventListener('click', () => { location.hash = ''; });
addEventListener('hashchange', show);
show();
