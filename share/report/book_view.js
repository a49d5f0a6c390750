// --- What is unpacked when something is opened ---

const indexParts = (parts) => {
  const book = {sources: new Map(), details: new Map(), facts: new Map(), rows: [],
                searches: new Map(),
                runs: [], problems: [], verdicts: [], samples: []};
  for (const part of parts) {
    if (part.part === 'book') Object.assign(book, part);
    if (part.part === 'tallies') book.samples = part.samples;
    if (part.part === 'source') book.sources.set(part.id, part.text);
    if (part.part === 'problem') book.facts.set(part.index, part);
    if (part.part === 'search') book.searches.set(part.index, part);
    if (part.part === 'detail') book.details.set(part.index, part);
    if (part.part !== 'rows' || !part.index) continue;
    book.rows = part.index.map((index, i) => {
      const row = {};
      for (const column of Object.keys(part)) row[column] = part[column][i];
      return row;
    });
  }
  book.rowOf = new Map(book.rows.map((row) => [row.index, row]));
  return book;
};

const unpack = async () => {
  if (typeof DecompressionStream === 'undefined')
    throw new Error('This browser is too old to unpack the details (it has no DecompressionStream).');
  const packed = Uint8Array.from(atob(byId('payload').textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return indexParts(JSON.parse(await new Response(stream).text()));
};
let unpacked = null;
const load = () => (unpacked ??= unpack());

// --- Pieces ---

const badge = (book, verdict) =>
  h('span', {class: `badge ${book.verdicts[verdict][1]}`}, book.verdicts[verdict][0]);
const factList = (facts) =>
  h('dl', {class: 'facts'}, ...facts.map(([name, value]) =>
    h('div', {}, h('dt', {}, name), h('dd', {}, value))));
const part = (title, ...children) => h('section', {}, h('h3', {}, title), ...children);
const region = (name, ...children) =>
  h('div', {class: 'scroll', role: 'region', 'aria-label': name, tabindex: '0'}, ...children);
const fold = (title, size, open, ...children) =>
  h('details', {class: 'fold', open: open ? '' : null},
    h('summary', {}, title, ' ', h('small', {}, size)), ...children);
const lineCount = (text) => `${formatCount(text.replace(/\n$/, '').split('\n').length)} lines`;

// `numbers`: which columns are; `rows`: lists of texts or elements, the first
// one the row's head. On a phone a row of many columns is a card; its roles keep
// it a table to readers.
const tableOf = (caption, heads, numbers, rows) => {
  const wide = heads.length > 4;
  const role = (name) => (wide ? name : null);
  const cellOf = (cell, i) => {
    const attributes = {class: numbers.includes(i) ? 'number' : null,
      'data-label': wide ? heads[i] : null};
    if (wide && cell === '\u2013') attributes.class = 'number blank';
    return i === 0 ? h('th', {scope: 'row', role: role('rowheader'), ...attributes}, cell)
      : h('td', {role: role('cell'), ...attributes}, cell);
  };
  return h('table', {class: wide ? 'plain cards' : 'plain', role: role('table')},
    h('caption', {}, caption),
    h('thead', {role: role('rowgroup')}, h('tr', {role: role('row')}, ...heads.map((head, i) =>
      h('th', {scope: 'col', role: role('columnheader'),
        class: numbers.includes(i) ? 'number' : null}, head)))),
    h('tbody', {role: role('rowgroup')}, ...rows.map((cells) =>
      h('tr', {role: role('row')}, ...cells.map(cellOf)))));
};

// --- A problem ---

const candidatesTable = (book, run, rows) => region(
  `Candidates of ${book.runs[run].name}`,
  tableOf(`${book.runs[run].name}: candidates, the best first`,
    ['Candidate', 'Sample', 'Verdict', `Speedup over ${book.baseline}`, 'Wall, over eager', 'Time',
     'Wall time', 'Price', 'Reason'],
    [1, 3, 4, 5, 6, 7],
    rows.map((row) => [
      book.details.has(row.index) ? h('a', {href: `#sample/${row.index}`}, row.name) : row.name,
      row.sample < 0 ? '\u2013' : String(row.sample), badge(book, row.verdict),
      formatRatio(row.speedup), formatRatio(row.wall), formatTime(row.us), formatTime(row.wall_us),
      formatUsd(row.usd),
      h('span', {class: 'words'}, row.reason)])));

const candidatesOf = (book, problem) => {
  const rows = book.rows.filter((row) => row.problem === problem);
  const sections = book.runs.map((run, i) => {
    const own = rows.filter((row) => row.run === i);
    const all = book.samples[problem]?.[i] ?? own.length;
    if (all === 0) return h('p', {class: 'hint'}, `${run.name}: no sample.`);
    return h('div', {class: 'candidates'}, candidatesTable(book, i, own),
      h('p', {class: 'hint'}, `Shows ${formatCount(own.length)} of ${formatCount(all)}` +
        `${own.every((row) => book.details.has(row.index)) ? '.'
          : '; those without a link can be found in the store of the run only.'}`));
  });
  return part('Candidates', ...sections);
};

const baselinesOf = (facts) => {
  if (!facts.baselines.length)
    return part('Baselines', h('p', {}, 'Not recorded.'));
  return part('Baselines', region('Baselines',
    tableOf('Times of the reference in PyTorch',
      ['Mode', 'Median', 'Middle half', 'Trials', 'Setting', 'Device', 'torch', 'TF32',
       'First call', 'Measured', 'Remark'], [1, 2, 3],
      facts.baselines.map((each) => [
        each.mode, formatTime(each.median),
        each.median === undefined ? '\u2013' : `${formatTime(each.q25)} to ${formatTime(each.q75)}`,
        each.count === undefined ? '\u2013' : formatCount(each.count), each.setting, each.device,
        each.torch, each.tf32, each.compile, each.measured, h('span', {class: 'words'}, each.reason)]))));
};

const referenceOf = (book, facts) => {
  const source = book.sources.get(facts.source);
  if (source === undefined) return part('Reference', h('p', {}, 'Left out to keep this page small.'));
  if (!source) return part('Reference', h('p', {}, 'The pack does not have its source any more.'));
  return fold('Reference', `PyTorch, ${lineCount(source)}`, true,
              sourceElement(source, 'python', 'Source of the reference'));
};

const problemFacts = (facts) => {
  const list = [];
  if (facts.tags.length) list.push(['Tags', facts.tags.join(', ')]);
  if (facts.bytes) list.push(['Bytes that have to move', formatBig(facts.bytes, 'B')]);
  if (facts.flops) list.push(['Matrix and convolution work', formatBig(facts.flops, 'FLOP')]);
  if (facts.flops && facts.bytes)
    list.push(['Intensity', `${(facts.flops / facts.bytes).toPrecision(3)} FLOP per byte`]);
  if (facts.memory) list.push(['Memory of the reference', formatBig(facts.memory, 'B')]);
  return list;
};

const crumbs = (...links) => h('nav', {class: 'crumbs', 'aria-label': 'Way back'}, ...links);

const problemView = (book, index) => {
  const [id, name] = book.problems[index] || [];
  if (id === undefined) return notFound('This page has no such problem.');
  const facts = book.facts.get(index);
  const step = (to, text) => (book.problems[to]
    ? h('a', {href: `#problem/${to}`}, text) : null);
  return [
    crumbs(h('a', {href: '#problems'}, 'All problems'), step(index - 1, 'Previous'),
           step(index + 1, 'Next')),
    h('h2', {tabindex: '-1'}, `${id} `, h('span', {class: 'of'}, name)),
    ...(facts ? facts.flags.map(([flag, reason]) =>
      h('p', {class: 'verdict-reason doubt'}, h('b', {}, flag), `: ${reason}`)) : []),
    facts ? factList(problemFacts(facts)) : null,
    candidatesOf(book, index),
    facts ? baselinesOf(facts) : null,
    facts ? referenceOf(book, facts) : h('p', {}, 'Left out to keep this page small.')];
};

// --- A candidate ---

const mismatchOf = (mismatch) => part('What differs', h('p', {}, mismatch.summary),
  mismatch.positions.length
    ? region('Differing elements', tableOf('Elements', ['Element', 'Index', 'Expected', 'Actual'],
                                           [2, 3], mismatch.positions))
    : null,
  factList(mismatch.facts));

const remarksOf = (detail) => {
  const groups = [['Also seen', 'notes', detail.notes], ['Checked', 'checked good', detail.checked],
                  ['Not checked', 'unchecked', detail.unchecked]].filter(([, , texts]) => texts.length);
  if (!groups.length) return null;
  return h('div', {class: 'remarks'}, ...groups.map(([title, style, texts]) =>
    h('section', {class: style}, h('h3', {}, title),
      h('ul', {}, ...texts.map((text) => h('li', {}, text))))));
};

const trialsOf = (detail) => {
  const trials = detail.trials;
  const missing = [];
  if (!trials.candidate.length) missing.push('No timed trial is recorded.');
  else if (!trials.reference) missing.push('The time of PyTorch in each trial is not recorded.');
  const plot = trialsPlot(trials);
  const untimed = trials.untimed
    ? ` Before them ${formatCount(trials.untimed)} untimed trials compared outputs.` : '';
  return h('figure', {}, h('h3', {}, 'Trials'),
    plot ? region('Plot of the trials', plot) : null,
    h('figcaption', {}, plot ? trialsKey(trials) : null,
      `${[...trials.counts].filter((c) => c === '1').length} of ${trials.candidate.length} ` +
      `timed trials count.${untimed} ${missing.join(' ')}`));
};

const timesOf = (times) => part('Times', region('Times',
  tableOf('Trials that count, in \u00b5s',
    ['Side', 'Median', 'Mean', 'Std. dev.', 'Min', '25 %', '75 %', 'Max', 'Trials'],
    [1, 2, 3, 4, 5, 6, 7, 8],
    times.map(([side, ...values]) => [side, ...values.map((value) =>
      (isNumber(value) ? formatCount(value) : '?'))]))));

const sizesOf = (sizes) => part('At each size', region('Sizes',
  tableOf('The verdict is correct where it is at each of these; the speedup is their geometric mean',
    ['Size', 'Verdict', 'Speedup over eager', 'Candidate', 'PyTorch'], [2, 3, 4], sizes)));

const rooflineOf = (book, facts, us) => {
  const machine = book.roofline;
  if (!machine || !facts || !facts.bytes || !isNumber(us) || !(us > 0)) return null;
  const moved = facts.bytes / us / 1e3;  // GB/s
  const share = `${formatBig(moved * 1e9, 'B/s')} of the bytes that have to move, ` +
    `${Math.round(100 * moved / machine.bandwidth)} % of the ${formatCount(machine.bandwidth)} GB/s ` +
    (machine.measured ? `measured on ${machine.name}` : `in the data sheet of ${machine.name}`) +
    `${machine.sheet ? ` (data sheet: ${formatCount(machine.sheet.bandwidth)} GB/s)` : ''}.`;
  if (!facts.flops)
    return part('Roofline', h('p', {}, `No matrix or convolution work is counted for this problem, ` +
      `so memory is its roof: ${share}`));
  const tflops = facts.flops / us / 1e6;
  return h('figure', {}, h('h3', {}, 'Roofline'),
    region('Roofline', rooflinePlot(machine, facts.flops, facts.bytes, us)),
    h('figcaption', {}, `${tflops.toPrecision(3)} TFLOP/s, ` +
      `${Math.round(100 * tflops / machine.tflops)} % of ${formatCount(machine.tflops)} TFLOP/s ` +
      `(${machine.precision}, ${sourceOf(machine)}` +
      `${machine.sheet ? `; data sheet: ${formatCount(machine.sheet.tflops)} TFLOP/s` : ''}). ` +
      `${share} Only matrix products, convolutions and attention are counted.`));
};

// Without a clipboard (an old browser, a page that may not) it says so.
const copyButton = (text) => {
  const button = h('button', {type: 'button'}, 'Copy');
  const say = (word) => { button.textContent = word; };
  button.addEventListener('click', () => {
    if (!navigator.clipboard) return say('Not possible here');
    navigator.clipboard.writeText(text).then(() => say('Copied'), () => say('Not possible here'));
  });
  return button;
};

// The source, or what it changes of another candidate's.
const sourcesOf = (book, row, detail) => {
  const source = book.sources.get(detail.source) ?? '';
  const others = book.rows.filter((each) =>
    each.problem === row.problem && each.index !== row.index && book.details.has(each.index));
  const holder = h('div', {});
  const show = (index) => {
    if (index === '') {
      holder.replaceChildren(sourceElement(source, detail.language, `Source of ${row.name}`));
      return;
    }
    const other = book.rowOf.get(Number(index));
    const before = book.sources.get(book.details.get(other.index).source) ?? '';
    holder.replaceChildren(diffElement(before, source, `${other.name} to ${row.name}`));
  };
  show('');
  const select = h('select', {}, h('option', {value: ''}, 'nothing'),
    ...others.slice(0, 100).map((each, i) => h('option', {value: each.index},
      `${i === 0 ? 'best: ' : ''}${each.name}, ${book.runs[each.run].name}, ` +
      `${book.verdicts[each.verdict][0]} ${isNumber(each.speedup) ? formatRatio(each.speedup) : ''}`)));
  select.addEventListener('change', () => show(select.value));
  const best = others[0] && h('button', {type: 'button', id: 'diff'}, 'Diff to the best');
  if (best) best.addEventListener('click', () => {
    select.value = select.value === '' ? others[0].index : '';
    show(select.value);
  });
  return part('Source', h('div', {class: 'tools'}, h('span', {}, `${detail.backend}, ${lineCount(source)}`),
    copyButton(source), best || null, others.length ? h('label', {}, 'Lines changed since ', select) : null), holder);
};

const sampleView = (book, index) => {
  const row = book.rowOf.get(index);
  const detail = book.details.get(index);
  if (!row || !detail) return notFound('The details of this candidate are not in this page.');
  const [id] = book.problems[row.problem];
  const kind = book.verdicts[row.verdict][1];
  return [
    crumbs(h('a', {href: '#problems'}, 'All problems'), h('a', {href: `#problem/${row.problem}`}, id),
           searchLink(book, row)),
    h('h2', {tabindex: '-1'}, `${row.name} `, h('span', {class: 'of'}, book.runs[row.run].name)),
    h('p', {class: 'headline'}, badge(book, row.verdict), ' ',
      isNumber(row.speedup) ? h('b', {}, `${formatRatio(row.speedup)} over ${book.baseline}`) : null,
      detail.speedup ? h('small', {}, ` ${detail.speedup} over eager in the same trials`) : null,
      detail.wall ? h('small', {}, ` wall ${detail.wall} over eager`) : null,
      detail.interpreted ? h('small', {}, ' run in an interpreter: not timed') : null),
    detail.reason ? h('p', {class: `verdict-reason ${kind}`}, detail.reason) : null,
    detail.mismatch ? mismatchOf(detail.mismatch) : null,
    detail.log ? fold('Log', lineCount(detail.log), true,
      h('pre', {class: 'log', tabindex: '0', role: 'region', 'aria-label': 'Log'}, detail.log)) : null,
    detail.sizes ? sizesOf(detail.sizes) : trialsOf(detail),
    detail.times.length ? timesOf(detail.times) : null,
    rooflineOf(book, book.facts.get(row.problem), row.us),
    sourcesOf(book, row, detail),
    detail.answer ? fold('Answer of the model', lineCount(detail.answer), false,
      h('pre', {class: 'log', tabindex: '0', role: 'region', 'aria-label': 'Answer of the model'},
        detail.answer)) : null,
    remarksOf(detail),
    detail.what_ran
      ? part('What ran', h('p', {}, "Evidence, by the word of the candidate's own process."),
        factList(detail.what_ran)) : null,
    detail.profile
      ? part('Where the time goes',
        h('p', {}, "Evidence, by the word of the candidate's own process: it decides nothing."),
        factList(detail.profile)) : null,
    detail.measured
      ? part('How it was measured', h('p', {}, detail.measured), factList(detail.ruler)) : null,
    part('Judge it again', h('div', {class: 'tools'}, copyButton(detail.command)),
      h('pre', {class: 'log', tabindex: '0', role: 'region', 'aria-label': 'Command'},
        detail.command)),
    part('Where it comes from', factList(detail.origin)),
    part('How it was judged', factList(detail.facts))];
};

const notFound = (text) =>
  [crumbs(h('a', {href: '#problems'}, 'All problems')), h('h2', {tabindex: '-1'}, text)];
