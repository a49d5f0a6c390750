'use strict';
// The report of runs reads without its script, except for what is unpacked when
// a problem or a candidate is opened. Everything is built as elements and text:
// nothing that a model wrote is ever parsed as HTML.

const NS = 'http://www.w3.org/2000/svg';
const byId = (id) => document.getElementById(id);

const build = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  for (const child of children)
    if (child !== null && child !== undefined) element.append(child);
  return element;
};
const h = (tag, attributes, ...children) =>
  build(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  build(document.createElementNS(NS, tag), attributes, children);

// --- Numbers, as the engine writes them ---

const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);
const threeDigits = (value) => {
  const rounded = Number(value.toPrecision(3));
  return rounded.toFixed(rounded >= 100 ? 0 : rounded >= 10 ? 1 : rounded >= 1 ? 2 : 3);
};
const formatTime = (us) => {
  if (!isNumber(us)) return '\u2013';
  const units = ['\u00b5s', 'ms', 's'];
  let value = Number(us.toPrecision(3));
  let unit = 0;
  for (; value >= 1000 && unit < 2; ++unit) value /= 1000;
  return `${threeDigits(value)} ${units[unit]}`;
};
const formatRatio = (ratio) => (isNumber(ratio) ? `${threeDigits(ratio)}x` : '\u2013');
const formatCount = (count) => count.toLocaleString('en-US');
const formatUsd = (usd) => (isNumber(usd) ? `$${usd.toPrecision(3)}` : '\u2013');
const formatBig = (value, unit) => {
  if (!isNumber(value)) return '\u2013';
  const prefixes = ['', 'k', 'M', 'G', 'T', 'P'];
  let step = 0;
  for (; value >= 1000 && step < 5; ++step) value /= 1000;
  return `${Number(value.toPrecision(3))} ${prefixes[step]}${unit}`;
};

// --- Words of a source ---

const CPP_WORDS = new Set(
  ('__constant__ __device__ __forceinline__ __global__ __host__ __launch_bounds__ ' +
   '__restrict__ __shared__ alignas alignof auto bool break case catch char class const ' +
   'const_cast constexpr continue decltype default delete do double dynamic_cast else enum ' +
   'explicit extern false float float2 float4 for friend goto half half2 if inline int int2 ' +
   'int4 int64_t long mutable namespace new noexcept nullptr operator private protected ' +
   'public register reinterpret_cast return short signed size_t sizeof static static_assert ' +
   'static_cast struct switch template this throw true try typedef typename uint32_t ' +
   'uint64_t union unsigned using virtual void volatile while').split(' '));
const PYTHON_WORDS = new Set(
  ('False None True and as assert async await break class continue def del elif else except ' +
   'finally for from global if import in is lambda nonlocal not or pass raise return self try ' +
   'while with yield').split(' '));

// Comment, string, directive, number, word. `(?![^])` is the end of the text:
// what is not closed goes on to there.
const CPP_TOKENS = new RegExp(
  String.raw`(?<c>/\*[^]*?(?:\*/|(?![^]))|//[^\n]*)` +
  String.raw`|(?<s>R"(?<mark>[^()\\\s]{0,16})\([^]*?(?:\)\k<mark>"|(?![^]))` +
  String.raw`|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?)` +
  String.raw`|(?<p>(?<=^[ \t]*)#[\w. ]*)` +
  String.raw`|(?<n>\d(?:[eE][+-]|'(?=\w)|[\w.])*)|(?<w>[A-Za-z_]\w*)`, 'gm');
const PYTHON_TOKENS = new RegExp(
  String.raw`(?<c>#[^\n]*)` +
  String.raw`|(?<s>\b[rRbBfFuU]{0,2}(?:"""[^]*?(?:"""|(?![^]))|'''[^]*?(?:'''|(?![^]))` +
  String.raw`|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?)` +
  String.raw`|"""[^]*?(?:"""|(?![^]))|'''[^]*?(?:'''|(?![^]))` +
  String.raw`|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?)` +
  String.raw`|(?<p>(?<=^[ \t]*)@[\w. ]*)` +
  String.raw`|(?<n>\d(?:[eE][+-]|[\w.])*)|(?<w>[A-Za-z_]\w*)`, 'gm');

// [class or '', text], which together are the source.
const tokensOf = (source, language) => {
  const python = language === 'python';
  const words = python ? PYTHON_WORDS : CPP_WORDS;
  const tokens = [];
  let end = 0;
  for (const match of source.matchAll(python ? PYTHON_TOKENS : CPP_TOKENS)) {
    const groups = match.groups;
    const kind = groups.c ? 'c' : groups.s ? 's' : groups.p ? 'p' : groups.n ? 'n'
      : words.has(match[0]) ? 'k' : '';
    if (!kind) continue;
    if (match.index > end) tokens.push(['', source.slice(end, match.index)]);
    tokens.push([kind, match[0]]);
    end = match.index + match[0].length;
  }
  if (end < source.length) tokens.push(['', source.slice(end)]);
  return tokens;
};

// One list of nodes per line.
const highlightedLines = (source, language) => {
  const lines = [[]];
  for (const [kind, text] of tokensOf(source.replace(/\n$/, ''), language))
    text.split('\n').forEach((part, i) => {
      if (i > 0) lines.push([]);
      if (part) lines[lines.length - 1].push(kind ? h('span', {class: kind}, part) : part);
    });
  return lines;
};

const sourceElement = (source, language, label) => {
  const code = h('code');
  for (const line of highlightedLines(source, language))
    code.append(h('span', {class: 'l'}, ...line, '\n'));
  return h('pre', {class: 'source', tabindex: '0', role: 'region', 'aria-label': label}, code);
};

// --- What two sources differ in ---

const MAX_EDITS = 1500;

// Myers 1986, "An O(ND) difference algorithm and its variations", the greedy
// form: the furthest reaching path for each number of edits. Null: more than
// MAX_EDITS.
const editsOf = (a, b) => {
  const trace = [];
  let reach = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(MAX_EDITS, a.length + b.length); ++edits) {
    trace.push(reach);
    const next = new Map();
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits ||
        (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
      let x = down ? reach.get(k + 1) ?? 0 : (reach.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) ++x;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(trace, a, b);
    }
    reach = next;
  }
  return null;
};

// From the end to the beginning: [' ', '-' or '+', line].
const walkBack = (trace, a, b) => {
  const steps = [];
  let x = a.length;
  let y = b.length;
  for (let edits = trace.length - 1; edits >= 0; --edits) {
    const reach = trace[edits];
    const k = x - y;
    const down = k === -edits ||
      (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
    const before = down ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : reach.get(before) ?? 0;
    const fromY = edits === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) {
      steps.push([' ', a[--x]]);
      --y;
    }
    if (edits === 0) break;
    if (down) steps.push(['+', b[--y]]);
    else steps.push(['-', a[--x]]);
  }
  return steps.reverse();
};

const diffOf = (before, after) => {
  const a = before.replace(/\n$/, '').split('\n');
  const b = after.replace(/\n$/, '').split('\n');
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) ++head;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head &&
         a[a.length - 1 - tail] === b[b.length - 1 - tail]) ++tail;
  const middle = editsOf(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  if (!middle) return null;
  const same = (line) => [' ', line];
  return [...a.slice(0, head).map(same), ...middle,
          ...a.slice(a.length - tail).map(same)];
};

const CONTEXT = 3;

const diffElement = (before, after, label) => {
  const steps = diffOf(before, after);
  if (!steps) return h('p', {}, 'The two have too little in common to be compared by lines.');
  const changed = steps.map(([sign]) => sign !== ' ');
  const isNear = (i) => {
    for (let k = Math.max(0, i - CONTEXT); k <= Math.min(steps.length - 1, i + CONTEXT); ++k)
      if (changed[k]) return true;
    return false;
  };
  const names = {' ': 'same', '-': 'gone', '+': 'new'};
  const code = h('code');
  let skipped = 0;
  const note = () => {
    if (skipped > 0) code.append(h('span', {class: 'd skip-lines'}, `  ${skipped} equal line${skipped === 1 ? '' : 's'}\n`));
    skipped = 0;
  };
  steps.forEach(([sign, line], i) => {
    if (!isNear(i)) {
      ++skipped;
      return;
    }
    note();
    code.append(h('span', {class: `d ${names[sign]}`}, `${sign} ${line}\n`));
  });
  note();
  return h('pre', {class: 'source diff', tabindex: '0', role: 'region', 'aria-label': label}, code);
};
