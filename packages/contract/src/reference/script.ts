/** The page's program: a search and buttons that copy. Without it everything is there all the same. */
export const script = `
'use strict';
const field = document.querySelector('#search');
const found = document.querySelector('#found');
const parts = [...document.querySelectorAll('[data-part]')].map((node) => ({ node, text: node.textContent.toLowerCase() }));
const links = new Map();
for (const link of document.querySelectorAll('nav li')) {
  const id = link.firstElementChild.hash.slice(1);
  links.set(id, [...(links.get(id) ?? []), link]);
}
const opened = new Set();

function search() {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const fits = (text) => words.every((word) => text.includes(word));
  let count = 0;
  for (const { node, text } of parts) {
    const shown = fits(text);
    node.hidden = !shown;
    for (const link of links.get(node.id) ?? []) link.hidden = !shown;
    if (shown) count += 1;
    if (shown) filterRows(node, words);
  }
  for (const group of document.querySelectorAll('[data-group]')) {
    const members = document.querySelectorAll('[data-part][data-in="' + group.dataset.group + '"]');
    group.hidden = ![...members].some((node) => !node.hidden);
  }
  found.textContent = words.length === 0 ? '' : count + ' of ' + parts.length;
}

function filterRows(node, words) {
  for (const table of node.querySelectorAll('table[data-rows]')) {
    const rows = [...table.tBodies[0].rows];
    const hits = rows.filter((row) => words.some((word) => row.textContent.toLowerCase().includes(word)));
    const narrow = words.length > 0 && hits.length > 0;
    for (const row of rows) row.hidden = narrow && !hits.includes(row);
    const details = table.closest('details');
    if (!details) continue;
    if (narrow && !details.open) opened.add(details);
    if (opened.has(details)) details.open = narrow;
    if (!narrow) opened.delete(details);
  }
}

field.closest('div').hidden = false;
field.addEventListener('input', search);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
  }
  if (event.key === 'Escape' && document.activeElement === field) {
    field.value = '';
    search();
  }
});

async function copy(code, button) {
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    getSelection().selectAllChildren(code);
    document.execCommand('copy');
  }
  button.textContent = 'Copied';
  setTimeout(() => { button.textContent = 'Copy'; }, 1500);
}

for (const pre of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => copy(pre.querySelector('code'), button));
  const block = document.createElement('div');
  block.className = 'block';
  pre.replaceWith(block);
  block.append(pre, button);
}
if (field.value !== '') search();
`;
