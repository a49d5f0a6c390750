// --- Theme ---

const root = document.documentElement;
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

// Storage throws on some file:// pages; then the choice is not remembered.
const stored = (value) => {
  try {
    if (value) localStorage.setItem('kernelbench-theme', value);
    return localStorage.getItem('kernelbench-theme');
  } catch {
    return null;
  }
};
const isDark = () => (root.dataset.theme || (prefersDark.matches ? 'dark' : 'light')) === 'dark';
const labelTheme = () => {
  byId('theme').textContent = isDark() ? 'Light' : 'Dark';
  byId('theme').setAttribute('aria-label', `Switch to ${isDark() ? 'light' : 'dark'} colours`);
};
const startTheme = () => {
  const saved = stored();
  if (saved === 'dark' || saved === 'light') root.dataset.theme = saved;
  labelTheme();
  byId('theme').hidden = false;
  byId('theme').addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    stored(root.dataset.theme);
    labelTheme();
  });
  prefersDark.addEventListener('change', labelTheme);
};

// --- What is open ---

let overviewAt = 0;  // where the overview was left
const title = document.title;

const showOverview = () => {
  const wasOpen = !byId('view').hidden;
  byId('view').hidden = true;
  byId('view').replaceChildren();
  byId('book').hidden = false;
  document.title = title;
  if (!wasOpen) return;
  const target = location.hash.length > 1 && byId(location.hash.slice(1));
  if (target && target.id !== 'problems') target.scrollIntoView();
  else scrollTo(0, overviewAt);
};

const showView = (children) => {
  if (byId('view').hidden) overviewAt = scrollY;
  byId('book').hidden = true;
  const view = byId('view');
  view.replaceChildren(...children.filter(Boolean));
  view.hidden = false;
  scrollTo(0, 0);
  const heading = view.querySelector('h2');
  document.title = `${heading.textContent} \u2013 ${title}`;
  heading.focus({preventScroll: true});
};

const views = {problem: problemView, sample: sampleView, search: searchView};

const follow = async () => {
  const [, kind, index, turn] =
    location.hash.match(/^#(problem|sample|search)\/(\d+)(?:\/(\d+))?$/) || [];
  if (!kind) {
    showOverview();
    return;
  }
  const asked = location.hash;
  try {
    const book = await load();
    if (location.hash !== asked) return;
    showView(views[kind](book, Number(index)));
    byId(`turn-${turn}`)?.scrollIntoView();
  } catch (error) {
    showView(notFound(`This cannot be opened: ${error.message}`));
  }
};

// --- Tables ---

const keyOf = (row, column) => {
  const cell = row.cells[column];
  if ('key' in cell.dataset) return cell.dataset.key === '' ? null : Number(cell.dataset.key);
  return cell.textContent.trim();
};
const compare = (a, b) =>
  (typeof a === 'number' ? a - b : a.localeCompare(b, 'en', {numeric: true}));

const sortBy = (table, header, column) => {
  const down = header.getAttribute('aria-sort') === (header.classList.contains('number')
    ? 'descending' : 'ascending');
  const direction = header.classList.contains('number') !== down ? 'descending' : 'ascending';
  for (const each of table.tHead.querySelectorAll('[aria-sort]')) each.removeAttribute('aria-sort');
  header.setAttribute('aria-sort', direction);
  const keyed = [...table.tBodies[0].rows].map((row) => [keyOf(row, column), row]);
  keyed.sort(([a], [b]) => {
    // Rows without a number stay below, whichever way it goes.
    if (a === null || b === null) return (a === null) - (b === null);
    return direction === 'descending' ? compare(b, a) : compare(a, b);
  });
  table.tBodies[0].append(...keyed.map(([, row]) => row));
};

const makeSortable = (table) => {
  const heads = [...table.tHead.rows].at(-1).cells;
  [...heads].forEach((header, column) => {
    const button = h('button', {type: 'button', class: 'sort'}, header.textContent);
    header.replaceChildren(button);
    button.addEventListener('click', () => sortBy(table, header, column));
  });
};

// --- Filters of the problems ---

const valueOf = (id) => (byId(id) ? byId(id).value : '');

const hasFlag = (row, wanted) => {
  const flags = row.dataset.flags.split(' ').filter(Boolean);
  if (wanted === 'none') return flags.length === 0;
  if (wanted === 'any') return flags.length > 0;
  return flags.includes(wanted);
};

const hasVerdict = (row, verdict, run) =>
  row.dataset.verdicts.split(' ').filter(Boolean).some((key) => {
    const [ofRun, kind] = key.split(':');
    return (!run || run === ofRun) && (!verdict || verdict === kind);
  });

const startFilters = (table) => {
  const rows = [...table.tBodies[0].rows].map((row) => [row, row.textContent.toLowerCase()]);
  const filter = () => {
    const words = byId('find').value.toLowerCase().split(/\s+/).filter(Boolean);
    const [level, flag, verdict, run] = ['level', 'flag', 'verdict', 'run'].map(valueOf);
    let count = 0;
    for (const [row, text] of rows) {
      row.hidden = !(words.every((word) => text.includes(word)) &&
                     (!level || row.dataset.level === level) && (!flag || hasFlag(row, flag)) &&
                     (!(verdict || run) || hasVerdict(row, verdict, run)));
      if (!row.hidden) ++count;
    }
    byId('shown').textContent =
      count === rows.length ? '' : `${count} of ${rows.length} problems shown`;
  };
  byId('find').addEventListener('input', filter);
  for (const id of ['level', 'flag', 'verdict', 'run'])
    if (byId(id)) byId(id).addEventListener('change', filter);
  byId('tools').hidden = false;
};

// --- Start ---

root.classList.add('scripted');
startTheme();
for (const id of ['problems-table', 'samples-table'])
  if (byId(id)) makeSortable(byId(id));
if (byId('problems-table')) startFilters(byId('problems-table'));
addEventListener('hashchange', follow);
follow();
