// The page reads without this: sorting, filtering, folding and the theme only.
(() => {
  'use strict';
  const byId = (id) => document.getElementById(id);
  const root = document.documentElement;

  // Storage throws on some file:// pages; then the choice is not remembered.
  const remember = (value) => {
    try { localStorage.setItem('kernelbench-theme', value); } catch { /* no storage */ }
  };
  const remembered = () => {
    try { return localStorage.getItem('kernelbench-theme'); } catch { return null; }
  };

  const theme = byId('theme');
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme || (prefersDark.matches ? 'dark' : 'light')) === 'dark';
  const labelTheme = () => {
    theme.textContent = isDark() ? 'Light' : 'Dark';
    theme.setAttribute('aria-label', `Switch to ${isDark() ? 'light' : 'dark'} colours`);
  };
  const saved = remembered();
  if (saved === 'dark' || saved === 'light') root.dataset.theme = saved;
  labelTheme();
  theme.hidden = false;
  theme.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    remember(root.dataset.theme);
    labelTheme();
  });
  prefersDark.addEventListener('change', labelTheme);

  // A link into a folded candidate unfolds it.
  const unfold = () => {
    const target = byId(location.hash.slice(1));
    const card = target && target.closest('details');
    if (!card) return;
    for (let fold = card; fold; fold = fold.parentElement.closest('details')) fold.open = true;
    card.scrollIntoView();
  };
  addEventListener('hashchange', unfold);
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) unfold();
  });
  unfold();

  // Paper shows everything.
  let folded = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('details:not([open])')];
    for (const each of folded) each.open = true;
  });
  addEventListener('afterprint', () => {
    for (const each of folded) each.open = false;
  });

  const table = byId('table');
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];

  const keyOf = (row, column) => {
    const cell = row.cells[column];
    if ('key' in cell.dataset) return cell.dataset.key === '' ? null : Number(cell.dataset.key);
    return cell.textContent.trim();
  };
  const compare = (a, b) =>
    typeof a === 'number' ? a - b : a.localeCompare(b, 'en', {numeric: true});

  const sortBy = (header, column) => {
    const down = header.getAttribute('aria-sort') === 'ascending';
    for (const each of table.tHead.rows[0].cells) each.removeAttribute('aria-sort');
    header.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    rows.sort((x, y) => {
      const a = keyOf(x, column);
      const b = keyOf(y, column);
      // Rows without a number stay below, whichever way it goes.
      if (a === null || b === null) return (a === null) - (b === null);
      return down ? compare(b, a) : compare(a, b);
    });
    body.append(...rows);
  };

  [...table.tHead.rows[0].cells].forEach((header, column) => {
    const label = header.querySelector('span') || header;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'sort';
    button.textContent = label.textContent;
    label.replaceChildren(button);
    button.addEventListener('click', () => sortBy(header, column));
  });

  const find = byId('find');
  const only = byId('only');
  const shown = byId('shown');
  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !(words.every((word) => text.includes(word)) &&
                     (!only.value || row.dataset.verdict === only.value));
      if (!row.hidden) ++count;
    }
    shown.textContent = count === rows.length ? '' : `${count} of ${rows.length} shown`;
  };
  find.addEventListener('input', filter);
  only.addEventListener('change', filter);
  byId('tools').hidden = false;
})();
