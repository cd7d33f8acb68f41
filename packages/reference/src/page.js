'use strict';
const field = document.querySelector('#search');
const found = document.querySelector('#found');
const nothing = document.querySelector('#nothing');
const lower = (node) => node.textContent.toLowerCase();

const parts = [...document.querySelectorAll('[data-part]')].map((node) => ({
  node,
  // The request samples are not searched.
  text: [...node.children]
    .filter((child) => !child.matches('.samples'))
    .map(lower)
    .join(' '),
  tables: [...node.querySelectorAll('table[data-rows]')].map((table) => ({
    details: table.closest('details'),
    rows: [...table.tBodies[0].rows].map((row) => ({ row, text: lower(row) })),
  })),
}));
const groups = [...document.querySelectorAll('[data-group]')];
const links = new Map();
for (const link of document.querySelectorAll('nav li')) {
  const id = link.firstElementChild.hash.slice(1);
  if (id === '') continue;
  links.set(id, [...(links.get(id) ?? []), link]);
}
const opened = new Set();

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const marked = [];
  const shown = parts.filter(({ text }) => words.every((word) => text.includes(word)));
  for (const part of parts) {
    const { node } = part;
    node.hidden = !shown.includes(part);
    for (const link of links.get(node.id) ?? []) link.hidden = node.hidden;
    if (!node.hidden)
      marked.push(
        ...node.querySelectorAll(':scope > :is(h2, h3, p, .scroll)'),
        ...narrow(part, words),
      );
  }
  for (const group of groups)
    group.hidden =
      words.length > 0 && !shown.some(({ node }) => node.dataset.in === group.dataset.group);
  found.textContent = words.length === 0 ? '' : shown.length + ' of ' + parts.length;
  nothing.hidden = shown.length > 0;
  nothing.textContent =
    'Nothing contains “' +
    field.value.trim() +
    '”. Search for the name of an operation, a field, a unit or an error code.';
  mark(marked, words);
  return shown;
}

/** Hides the rows that do not match, and returns those that do; if none matches, all stay visible and nothing is opened. */
function narrow({ tables }, words) {
  return tables.flatMap(({ details, rows }) => {
    const hits = rows.filter(({ text }) => words.some((word) => text.includes(word)));
    const few = words.length > 0 && hits.length > 0;
    for (const one of rows) one.row.hidden = few && !hits.includes(one);
    if (details) {
      if (few && !details.open) opened.add(details);
      if (opened.has(details)) details.open = few;
      if (!few) opened.delete(details);
    }
    return few ? hits.map(({ row }) => row) : [];
  });
}

function mark(nodes, words) {
  if (!CSS.highlights) return;
  CSS.highlights.clear();
  if (words.length === 0) return;
  const ranges = [];
  for (const node of nodes) {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.data.toLowerCase();
      if (text.length !== walker.currentNode.data.length) continue;
      for (const word of words.filter(({ length }) => length > 1)) {
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          const range = new Range();
          range.setStart(walker.currentNode, at);
          range.setEnd(walker.currentNode, at + word.length);
          ranges.push(range);
        }
      }
    }
  }
  CSS.highlights.set('found', new Highlight(...ranges));
}

/** How well a name fits what is searched for; 3 if not at all. */
function rank(name, wanted) {
  const match = [name === wanted, name.startsWith(wanted), name.includes(wanted)].indexOf(true);
  return match < 0 ? 3 : match;
}

/** The part, or the field or parameter in it, whose name fits best. Of equals, a part comes before its fields. */
function best(shown) {
  const wanted = field.value.trim().toLowerCase();
  const named = shown.flatMap(({ node, tables }) => [
    { target: node, fit: rank(node.id.toLowerCase(), wanted) },
    ...tables.flatMap(({ rows }) =>
      rows
        .filter(({ row }) => row.id)
        .map(({ row }) => ({
          target: row,
          fit: rank(row.id.split('.').at(-1).toLowerCase(), wanted) + 0.5,
        })),
    ),
  ]);
  return named.toSorted((a, b) => a.fit - b.fit)[0]?.target;
}

field.closest('div').hidden = false;
field.addEventListener('input', () => {
  search();
  const top = document.querySelector('.frame').getBoundingClientRect().top;
  if (top < 0) scrollBy(0, top - 80);
});
document.addEventListener('keydown', (event) => {
  const typing = document.activeElement === field;
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    field.focus();
    field.select();
  }
  if (event.key === 'Escape' && typing) {
    field.value = '';
    search();
  }
  if (event.key === 'Enter' && typing && field.value.trim() !== '') {
    const target = best(search());
    if (!target) return;
    const table = target.closest('details');
    if (table) table.open = true;
    location.hash = target.id;
    (
      target.querySelector('h2 a, h3 a, td a') ?? target.closest('section').querySelector('h3 a')
    ).focus({ preventScroll: true });
  }
});
// Following a link to something that the search hides shows everything again.
addEventListener('hashchange', () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target?.closest('[hidden]')) return;
  field.value = '';
  search();
  target.scrollIntoView();
});

// The chosen language applies to all requests and is remembered.
const samples = [...document.querySelectorAll('.samples')].map((node) => ({
  all: [...node.querySelectorAll('details')],
  buttons: [],
  node,
}));
const remembered = 'helioport.language';
function choose(language) {
  for (const { all, buttons } of samples) {
    for (const [i, details] of all.entries()) {
      details.open = details.dataset.language === language;
      buttons[i].setAttribute('aria-pressed', String(details.open));
    }
  }
}
for (const { all, buttons, node } of samples) {
  const bar = document.createElement('div');
  bar.className = 'languages';
  bar.setAttribute('role', 'group');
  bar.setAttribute('aria-label', 'Language of the requests');
  for (const {
    dataset: { language },
  } of all) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = language;
    button.addEventListener('click', () => {
      const { top } = button.getBoundingClientRect();
      choose(language);
      // Keeps the button in place, since the height of the content above may have changed.
      scrollBy(0, button.getBoundingClientRect().top - top);
      try {
        localStorage.setItem(remembered, language);
      } catch {}
    });
    buttons.push(button);
    bar.append(button);
  }
  node.prepend(bar);
  node.classList.add('tabbed');
}
let language = null;
try {
  language = localStorage.getItem(remembered);
} catch {}
choose(
  samples[0]?.all.some((details) => details.dataset.language === language) ? language : 'curl',
);

// Marks the current position in the contents.
const side = document.querySelector('.side');
const inView = new Set();
const watcher = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries)
      inView[isIntersecting ? 'add' : 'delete'](target);
    const current = parts.find(({ node }) => inView.has(node))?.node.id;
    for (const [id, items] of links) {
      for (const { firstElementChild: link } of items)
        link.ariaCurrent = id === current ? 'true' : null;
    }
    const link = side.querySelector('[aria-current]');
    if (!link || side.matches(':hover, :focus-within')) return;
    const [{ top, bottom }, frame] = [link.getBoundingClientRect(), side.getBoundingClientRect()];
    if (top < frame.top || bottom > frame.bottom)
      side.scrollTop += top - frame.top - frame.height / 3;
  },
  { rootMargin: '-80px 0px -60% 0px' },
);
for (const { node } of parts) watcher.observe(node);

if (field.value !== '') search();
