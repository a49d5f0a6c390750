// --- A conversation: the search of one sample ---

const SHORT_LINES = 30;
const OPEN_TURNS = 20;  // of longer ones no program is open from the start

// The start of a long text, and a way to see the whole.
const longText = (text, label) => {
  const lines = text.replace(/\n$/, '').split('\n');
  const pre = h('pre', {class: 'log', tabindex: '0', role: 'region', 'aria-label': label}, text);
  if (lines.length <= SHORT_LINES + 5) return pre;
  pre.textContent = lines.slice(0, SHORT_LINES).join('\n');
  const button = h('button', {type: 'button'}, `Show all ${formatCount(lines.length)} lines`);
  button.addEventListener('click', () => {
    pre.textContent = text;
    button.parentElement.remove();
  });
  return h('div', {}, pre, h('div', {class: 'tools more'}, button));
};

// Built when it is opened first, as a conversation may have hundreds of texts.
const lazyFold = (title, size, open, make) => {
  const element = fold(title, size, open);
  let made = false;
  const fill = () => {
    if (!made) element.append(make());
    made = true;
  };
  if (open) fill();
  element.addEventListener('toggle', () => { if (element.open) fill(); });
  return element;
};

const textFold = (book, id, title, open) => {
  const text = book.sources.get(id);
  return text === undefined ? null
    : lazyFold(title, lineCount(text), open, () => longText(text, title));
};

// A program as what it changes of a parent's, and whole.
const programOf = (book, search, turn, open) => {
  const source = book.sources.get(turn.source);
  if (source === undefined) return null;
  const parents = turn.parents.map((parent) => search.turns.find((each) => each.turn === parent))
    .filter((parent) => parent && book.sources.has(parent.source));
  return lazyFold('Program', `${lineCount(source)}${turn.change ? `, ${turn.change}` : ''}`, open, () => {
    const holder = h('div', {});
    const show = (number) => {
      const parent = parents.find((each) => String(each.turn) === number);
      holder.replaceChildren(parent
        ? diffElement(book.sources.get(parent.source), source, `Turn ${number} to ${turn.turn}`)
        : sourceElement(source, turn.language, `Program of turn ${turn.turn}`));
    };
    if (!parents.length) {
      show('');
      return holder;
    }
    const select = h('select', {},
      ...parents.map((each) => h('option', {value: each.turn}, `what it changes of turn ${each.turn}`)),
      h('option', {value: ''}, 'the whole program'));
    select.addEventListener('change', () => show(select.value));
    show(select.value);
    return h('div', {}, h('div', {class: 'tools'}, h('label', {}, 'Show ', select)), holder);
  });
};

const parentsText = (turn) => (turn.parents.length ? ` of ${turn.parents.join(' and ')}` : '');
const minutesOf = (seconds) => (isNumber(seconds) ? formatTime(seconds * 1e6) : '\u2013');

// Of a refinement the question is what was said of the turn before.
const turnSection = (book, search, turn, open) => {
  const told = turn.kind === 'refine';
  const small = [turn.place, turn.tokens ? `${formatCount(turn.tokens)} tokens` : '',
                 isNumber(turn.usd) ? formatUsd(turn.usd) : '', minutesOf(turn.seconds),
                 ...(turn.approaches ?? [])].filter(Boolean).join(', ');
  return h('section', {id: `turn-${turn.turn}`, class: `turn ${turn.better ? 'better' : ''}`},
    h('h3', {}, `Turn ${turn.turn}, ${turn.kind}${parentsText(turn)}`),
    h('p', {class: 'headline'}, h('span', {class: `badge ${turn.verdict[1]}`}, turn.verdict[0]), ' ',
      isNumber(turn.speedup) ? h('b', {}, `${formatRatio(turn.speedup)} over eager`) : null,
      turn.turn === search.best ? h('span', {class: 'tag'}, 'counts') : null, h('small', {}, small)),
    turn.reason ? h('p', {class: `verdict-reason ${turn.verdict[1]}`}, turn.reason) : null,
    textFold(book, turn.prompt, told ? `Told of turn ${turn.parents[0]}` : 'Asked', told && open),
    textFold(book, turn.answer, 'Answer', turn.source === undefined && open),
    programOf(book, search, turn, open));
};

const turnsTable = (search, index) => region('Turns', tableOf('Turns of this conversation',
  ['Turn', 'Asked for', 'Verdict', 'Speedup over eager', 'Change', 'Tokens', 'Price', 'Time'],
  [3, 5, 6, 7],
  search.turns.map((turn) => [
    h('a', {href: `#search/${index}/${turn.turn}`}, String(turn.turn)), `${turn.kind}${parentsText(turn)}`,
    h('span', {class: `badge ${turn.verdict[1]}`}, turn.verdict[0]), formatRatio(turn.speedup),
    turn.change || '\u2013', formatCount(turn.tokens), formatUsd(turn.usd), minutesOf(turn.seconds)])));

const searchTotals = (search) => {
  const sum = (name) => search.turns.reduce((total, turn) => total + (turn[name] ?? 0), 0);
  const priced = search.turns.every((turn) => isNumber(turn.usd));
  return [['Turns', formatCount(search.turns.length)],
          ['Tokens, read and written', formatCount(sum('tokens'))],
          ['Price', priced ? formatUsd(sum('usd')) : 'not known'],
          ['Answers and judgements', minutesOf(sum('seconds'))]];
};

const searchView = (book, index) => {
  const search = book.searches.get(index);
  if (!search) return notFound('This conversation is not in this page.');
  const row = book.rows.find((each) => each.run === search.run && each.problem === search.problem &&
                             each.sample === search.sample);
  const step = (to, text) => (book.searches.has(to) ? h('a', {href: `#search/${to}`}, text) : null);
  return [
    crumbs(h('a', {href: '#searches'}, 'All searches'),
           search.problem === undefined ? null : h('a', {href: `#problem/${search.problem}`}, search.id),
           row && book.details.has(row.index)
             ? h('a', {href: `#sample/${row.index}`}, 'The candidate that counts') : null,
           step(index - 1, 'Previous'), step(index + 1, 'Next')),
    h('h2', {tabindex: '-1'}, `${search.id} sample ${search.sample} `,
      h('span', {class: 'of'}, book.runs[search.run].name)),
    factList(searchTotals(search)),
    turnsTable(search, index),
    ...search.turns.map((turn) =>
      turnSection(book, search, turn, search.turns.length <= OPEN_TURNS))];
};

// From a candidate to the conversation that it is of.
const searchLink = (book, row) => {
  for (const [index, search] of book.searches)
    if (search.run === row.run && search.problem === row.problem && search.sample === row.sample)
      return h('a', {href: `#search/${index}/${search.best ?? 1}`}, 'Its conversation');
  return null;
};
