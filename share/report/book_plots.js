// --- Plots of one candidate ---

const grid = (x1, x2, y1, y2) => svg('line', {class: 'grid', x1, x2, y1, y2});
const label = (style, x, y, text) => svg('text', {class: style, x, y}, text);

// 1, 2 or 5 times a power of ten, about a third of the range.
const tickStep = (range) => {
  const raw = range / 3;
  const unit = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((factor) => factor * unit).find((step) => raw <= step) || 10 * unit;
};

const LEFT = 64;
const RIGHT = 948;

// A linear scale from `low` at `bottom` to `high` at `top`, with its grid.
const panelOf = (plot, title, top, bottom, low, high) => {
  const y = (value) =>
    bottom - (Math.min(Math.max(value, low), high) - low) / (high - low) * (bottom - top);
  plot.append(label('title', LEFT, top - 8, title));
  const step = tickStep(high - low);
  for (let i = Math.ceil(low / step); i * step <= high * (1 + 1e-9); ++i) {
    const at = y(i * step);
    plot.append(grid(LEFT, RIGHT, at, at),
                label('tick', LEFT - 8, at + 4, i === 0 ? '0' : tickText(i * step, high)));
  }
  return y;
};
const tickText = (us, highest) =>
  highest >= 1e6 ? `${Number((us / 1e6).toPrecision(6))} s`
    : highest >= 1e3 ? `${Number((us / 1e3).toPrecision(6))} ms`
      : `${Number(us.toPrecision(6))} \u00b5s`;

const dash = (style, x, y, half) =>
  svg('path', {class: style, d: `M${(x - half).toFixed(1)} ${y.toFixed(1)}h${(2 * half).toFixed(1)}`});
const point = (counts, cx, cy, count) =>
  svg('circle', {class: counts ? 'point' : 'point out', cx: cx.toFixed(1), cy: cy.toFixed(1),
                 r: count > 150 ? 2 : count > 60 ? 2.8 : 3.6});

// The times of both sides in all timed trials.
const trialsPlot = (trials) => {
  const count = trials.candidate.length;
  const counts = [...trials.counts].map((c) => c === '1');
  const all = [...trials.candidate, ...(trials.reference || [])];
  if (count === 0 || !all.every(isNumber)) return null;
  const plot = svg('svg', {
    class: 'trials', viewBox: '0 0 960 236', role: 'img',
    'aria-label': `Times of ${count} timed trials, of which ` +
      `${counts.filter(Boolean).length} count. The summary is in the table of times.`});
  const x = (i) => LEFT + (i + 0.5) * (RIGHT - LEFT) / count;
  const half = Math.min(6, (RIGHT - LEFT) / 2.4 / count);
  const y = panelOf(plot, 'Time of one call in each trial', 30, 210, 0, Math.max(...all) * 1.08 || 1);
  trials.candidate.forEach((us, i) => {
    if (trials.reference) plot.append(dash('reference', x(i), y(trials.reference[i]), half));
    plot.append(point(counts[i], x(i), y(us), count));
  });
  plot.append(svg('text', {class: 'title', x: RIGHT, y: 230, 'text-anchor': 'end'},
                  `trial 1 to ${count}, in order`));
  return plot;
};

const keyItem = (text, ...shapes) =>
  h('li', {}, svg('svg', {viewBox: '0 0 16 12', width: 16, height: 12, 'aria-hidden': 'true'},
                  ...shapes), ' ', text);

const trialsKey = (trials) => {
  const circle = (style) => svg('circle', {class: style, cx: 8, cy: 6, r: 4});
  return h('ul', {class: 'key'},
    keyItem('candidate, counts (filled)', circle('point')),
    keyItem('candidate, does not count (open)', circle('point out')),
    trials.reference
      ? keyItem('PyTorch, eager', svg('path', {class: 'reference', d: 'M2 6h12'})) : null);
};

// --- Roofline ---

// Powers of ten within a range of logarithms.
const decades = (low, high) => {
  const ticks = [];
  for (let exponent = Math.ceil(low); exponent <= high; ++exponent) ticks.push(exponent);
  return ticks;
};

// Where its ceilings come from.
const sourceOf = (machine) => (machine.measured ? 'measured' : 'data sheet');

// Where a kernel lies under the machine's ceilings: how much it computes per
// byte that has to move, and how much a second. `flops` and `bytes` above zero.
const rooflinePlot = (machine, flops, bytes, us) => {
  const intensity = Math.log10(flops / bytes);
  const achieved = Math.log10(flops / us / 1e6);  // TFLOP/s
  const ridge = Math.log10(machine.tflops * 1e3 / machine.bandwidth);
  const roof = (at) => Math.min(Math.log10(machine.tflops), at + Math.log10(machine.bandwidth / 1e3));
  const low = Math.floor(Math.min(intensity, ridge) - 0.7);
  const high = Math.ceil(Math.max(intensity, ridge) + 0.7);
  const bottom = Math.floor(Math.min(achieved, roof(low)));
  const top = Math.ceil(Math.max(achieved, Math.log10(machine.tflops)) + 0.15);
  const slope = low + 0.8 * (ridge - low);  // where its label is
  const x = (value) => 60 + (value - low) / (high - low) * 480;
  const y = (value) => 250 - (value - bottom) / (top - bottom) * 230;
  const plot = svg('svg', {
    class: 'chart roofline', viewBox: '0 0 560 300', role: 'img',
    'aria-label': `Roofline: ${(10 ** intensity).toPrecision(3)} FLOP per byte, ` +
      `${(10 ** achieved).toPrecision(3)} TFLOP/s achieved; ${sourceOf(machine)}: ` +
      `${machine.tflops} TFLOP/s and ${machine.bandwidth} GB/s.`});
  for (const tick of decades(low, high))
    plot.append(grid(x(tick), x(tick), 20, 250),
                label('tick middle', x(tick), 266, String(Number((10 ** tick).toPrecision(3)))));
  for (const tick of decades(bottom, top))
    plot.append(grid(60, 540, y(tick), y(tick)),
                label('tick', 52, y(tick) + 4, String(Number((10 ** tick).toPrecision(3)))));
  plot.append(
    svg('path', {class: 'roof', d: `M${x(low)} ${y(roof(low))}L${x(ridge)} ${y(roof(ridge))}L${x(high)} ${y(roof(high))}`}),
    svg('text', {class: 'tick', x: 538, y: y(roof(high)) - 6, 'text-anchor': 'end'},
        `${machine.precision}, ${sourceOf(machine)}`),
    svg('text', {class: 'tick', x: x(slope) - 8, y: y(roof(slope)) - 6}, `memory, ${sourceOf(machine)}`),
    svg('path', {class: 'gap', d: `M${x(intensity)} ${y(achieved)}V${y(roof(intensity))}`}),
    svg('circle', {class: 'point', cx: x(intensity), cy: y(achieved), r: 5}),
    label('title middle', 300, 292, 'FLOP per byte that has to move'),
    label('title at', 8, 12, 'TFLOP/s'));
  return plot;
};
