// Opens a page of ours (a report of runs, the demonstration's, a leaderboard) in
// a browser and looks for what must not be there:
//
//   node browser_check.mjs PAGE.html [FOLDER for screenshots]
//
// Drives chromium ($CHROMIUM, or what PATH has) by its DevTools protocol and
// prints one line per check. Exit code 1: a check failed; 77: skipped, because
// there is no browser or this node has no WebSocket.
import {spawn, spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

const SKIPPED = 77;
const WIDTHS = [1400, 390];
const skip = (why) => {
  console.log(`skipped: ${why}`);
  process.exit(SKIPPED);
};

// Node 20 and 21 have it behind a flag, 22 without.
const withWebSocket = () => {
  if (typeof WebSocket !== 'undefined') return;
  const flag = '--experimental-websocket';
  if (process.execArgv.includes(flag)) skip('this node has no WebSocket');
  const again = spawnSync(process.execPath,
    [flag, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {stdio: 'inherit'});
  process.exit(again.status === 9 ? SKIPPED : again.status ?? 1);
};

// --- The browser ---

const programs = [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome',
  'chromium-headless-shell'];
const findBrowser = () => programs.filter(Boolean).find((program) =>
  spawnSync(program, ['--version'], {stdio: 'ignore'}).status === 0);

const startBrowser = (program, profile) => new Promise((done, fail) => {
  const browser = spawn(program, [
    '--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
    '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    {stdio: ['ignore', 'ignore', 'pipe'], detached: true});
  let said = '';
  browser.stderr.on('data', (data) => {
    said += data;
    const match = said.match(/DevTools listening on (ws:\S+)/);
    if (match) done({browser, url: match[1]});
  });
  browser.on('exit', () => fail(new Error(`${program} ended: ${said.slice(-500)}`)));
  setTimeout(() => fail(new Error(`${program} did not start in 60 s`)), 60000).unref();
});

class Devtools {
  constructor(socket) {
    this.socket = socket;
    this.next = 1;
    this.waiting = new Map();
    this.listeners = [];
    socket.addEventListener('message', (event) => this.take(JSON.parse(event.data)));
  }
  static open(url) {
    return new Promise((done, fail) => {
      const socket = new WebSocket(url);
      socket.addEventListener('open', () => done(new Devtools(socket)));
      socket.addEventListener('error', () => fail(new Error(`cannot connect to ${url}`)));
    });
  }
  take(message) {
    if (!message.id) {
      for (const listener of this.listeners) listener(message);
      return;
    }
    const {done, fail} = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) fail(new Error(message.error.message));
    else done(message.result);
  }
  send(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    this.socket.send(JSON.stringify({id, method, params, sessionId}));
    return new Promise((done, fail) => this.waiting.set(id, {done, fail}));
  }
}

// One tab, and what it said and asked for.
class Tab {
  constructor(devtools, session) {
    this.devtools = devtools;
    this.session = session;
    this.said = [];
    this.asked = [];
    this.dialogs = [];
    this.loaded = null;
    devtools.listeners.push((message) => {
      if (message.sessionId === session) this.hear(message.method, message.params);
    });
  }
  static async open(devtools) {
    const {targetId} = await devtools.send('Target.createTarget', {url: 'about:blank'});
    const {sessionId} = await devtools.send('Target.attachToTarget', {targetId, flatten: true});
    const tab = new Tab(devtools, sessionId);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await tab.send(`${domain}.enable`);
    return tab;
  }
  hear(method, params) {
    if (method === 'Runtime.consoleAPICalled')
      this.said.push(params.args.map((arg) => arg.value ?? arg.description).join(' '));
    if (method === 'Runtime.exceptionThrown')
      this.said.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Log.entryAdded') this.said.push(params.entry.text);
    if (method === 'Network.requestWillBeSent') this.asked.push(params.request.url);
    if (method === 'Page.loadEventFired' && this.loaded) this.loaded();
    if (method !== 'Page.javascriptDialogOpening') return;
    this.dialogs.push(params.message);
    this.send('Page.handleJavaScriptDialog', {accept: false});
  }
  send(method, params) {
    return this.devtools.send(method, params, this.session);
  }
  async evaluate(expression) {
    const {result, exceptionDetails} = await this.send('Runtime.evaluate',
      {expression, awaitPromise: true, returnByValue: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? expression);
    return result.value;
  }
  async go(url) {
    const loaded = new Promise((done) => { this.loaded = done; });
    await this.send('Page.navigate', {url});
    await loaded;
  }
  // Until the expression is true, at most ten seconds.
  async until(expression) {
    for (let i = 0; i < 200; ++i) {
      if (await this.evaluate(expression)) return true;
      await new Promise((done) => setTimeout(done, 50));
    }
    return false;
  }
  async look(width, scheme) {
    await this.send('Emulation.setDeviceMetricsOverride',
      {width, height: width < 600 ? 844 : 900, deviceScaleFactor: 1, mobile: width < 600});
    await this.send('Emulation.setEmulatedMedia',
      {features: [{name: 'prefers-color-scheme', value: scheme}]});
  }
  // From the top, or from the first element that `selector` finds.
  async screenshot(path, selector = 'body') {
    const {cssContentSize: size} = await this.send('Page.getLayoutMetrics');
    const top = selector === 'body' ? 0 : await this.evaluate(
      `document.querySelector('${selector}').getBoundingClientRect().top + scrollY`);
    const {data} = await this.send('Page.captureScreenshot', {captureBeyondViewport: true,
      clip: {x: 0, y: top, width: size.width, height: Math.min(size.height - top, 5000), scale: 1}});
    writeFileSync(path, Buffer.from(data, 'base64'));
  }
}

// --- The checks ---

let failed = 0;
const check = (name, ok, note = '') => {
  if (!ok) ++failed;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}${note ? `: ${note}` : ''}`);
};

const OVERFLOW = `(() => {
  const wide = document.documentElement.scrollWidth;
  return wide > innerWidth ? wide + ' of ' + innerWidth + ' px' : '';
})()`;
// Tables that reach beyond the section they are in; those that scroll may.
const BEYOND = `[...document.querySelectorAll('table')]
  .filter((table) => table.closest('.scroll') === null && table.closest('section') !== null)
  .map((table) => table.getBoundingClientRect().right -
    table.closest('section').getBoundingClientRect().right)
  .filter((pixels) => pixels > 1).map((pixels) => Math.ceil(pixels) + ' px').join(', ')`;

const checkWidth = async (tab, name) => {
  const wide = await tab.evaluate(OVERFLOW);
  check(`${name}: no sideways scroll`, wide === '', wide);
  const beyond = await tab.evaluate(BEYOND);
  check(`${name}: no table beyond its section`, beyond === '', beyond);
};

// The first link of a kind, or one whose text holds `words`.
const click = (tab, kind, words = '') => tab.evaluate(`(() => {
  const links = [...document.querySelectorAll('a[href^="#${kind}/"]')];
  const link = links.find((each) => each.textContent.includes(${JSON.stringify(words)}));
  if (!link) return false;
  link.click();
  return true;
})()`);

const walk = async (tab, width, scheme, folder) => {
  const at = `${width} px ${scheme}`;
  const shot = (name) => tab.screenshot(join(folder, `${name}_${width}_${scheme}.png`));
  await checkWidth(tab, `${at} overview`);
  await shot('overview');
  if (!(await click(tab, 'problem'))) return check(`${at}: has a problem`, true, 'none in this page');
  check(`${at}: a problem opens`,
        await tab.until(`!document.getElementById('view').hidden`));
  await checkWidth(tab, `${at} problem`);
  await shot('problem');
  if (!(await click(tab, 'sample'))) return check(`${at}: has a candidate`, true, 'none in this page');
  check(`${at}: a candidate opens`,
        await tab.until(`!!document.querySelector('#view .headline')`));
  await checkWidth(tab, `${at} candidate`);
  await shot('candidate');
  if (await tab.evaluate(`(document.getElementById('diff')?.click(), !!document.getElementById('diff'))`)) {
    check(`${at}: the diff opens`, await tab.until(`!!document.querySelector('#view .diff, #view p')`));
    await checkWidth(tab, `${at} diff`);
    await shot('diff');
  }
};

// Only a report of runs has views beside its first.
const goHome = async (tab) => {
  await tab.evaluate(`location.hash = ''`);
  await tab.until(`document.getElementById('view')?.hidden ?? true`);
};

// A conversation of a search, from its tree.
const walkSearch = async (tab, width, scheme, folder) => {
  const at = `${width} px ${scheme}`;
  await goHome(tab);
  await tab.evaluate(
    `document.querySelectorAll('details.search').forEach((each) => { each.open = true; })`);
  await checkWidth(tab, `${at} searches`);
  if (!(await tab.evaluate(`!!document.getElementById('searches')`))) return;
  await tab.screenshot(join(folder, `searches_${width}_${scheme}.png`), '#searches');
  check(`${at}: a search has a conversation`, await click(tab, 'search'));
  check(`${at}: a conversation opens`, await tab.until(`!!document.querySelector('#view .turn')`));
  check(`${at}: a diff to the parent is there`,
        await tab.until(`!!document.querySelector('#view .turn .diff')`));
  await tab.evaluate(
    `document.querySelectorAll('#view .turn details').forEach((each) => { each.open = true; })`);
  await tab.until(`document.querySelectorAll('#view .turn pre.log').length > 2`);
  await checkWidth(tab, `${at} conversation`);
  await tab.screenshot(join(folder, `conversation_${width}_${scheme}.png`));
  const whole = await tab.evaluate(`(() => {
    const button = document.querySelector('#view .more button');
    const log = button?.parentElement.previousElementSibling;
    const before = log?.textContent.length;
    button?.click();
    return !button || log.textContent.length > before;
  })()`);
  check(`${at}: a long text can be seen whole`, whole);
};


// The names that the made-up book gives to what tries to break out.
const provoke = async (tab, folder) => {
  await goHome(tab);
  await tab.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
  await checkWidth(tab, 'all unfolded');
  if (!(await click(tab, 'sample', '<script>'))) return;
  check('the hostile candidate opens as text', await tab.until(
    `!!document.querySelector('#view h2')?.textContent.includes('<script>alert(1)</script>')`));
  await checkWidth(tab, 'hostile candidate');
  await tab.screenshot(join(folder, 'hostile.png'));
};

const useControls = async (tab) => {
  await goHome(tab);
  if (!(await tab.evaluate(`!!document.getElementById('problems-table')`))) return;
  const shown = await tab.evaluate(`(() => {
    const find = document.getElementById('find');
    find.value = 'no such problem';
    find.dispatchEvent(new Event('input'));
    const text = document.getElementById('shown').textContent;
    find.value = '';
    find.dispatchEvent(new Event('input'));
    return text;
  })()`);
  check('the filter says what it leaves', shown.startsWith('0 of '), shown);
  const sorted = await tab.evaluate(`(() => {
    const head = [...document.getElementById('problems-table').tHead.rows].at(-1).cells[0];
    head.querySelector('button').click();
    return head.getAttribute('aria-sort');
  })()`);
  check('a head sorts and says so', sorted === 'ascending', sorted);
};

const run = async (page, folder, tab) => {
  const url = pathToFileURL(resolve(page)).href;
  for (const scheme of ['light', 'dark'])
    for (const width of WIDTHS) {
      await tab.look(width, scheme);
      await tab.go('about:blank');
      await tab.go(url);
      const load = await tab.evaluate(
        `Math.round(performance.getEntriesByType('navigation')[0].loadEventEnd)`);
      console.log(`     ${width} px ${scheme}: loaded in ${load} ms`);
      await walk(tab, width, scheme, folder);
      await walkSearch(tab, width, scheme, folder);
    }
  await provoke(tab, folder);
  await useControls(tab);
  const others = tab.asked.filter((each) => each.split('#')[0] !== url && each !== 'about:blank');
  check('no console message', tab.said.length === 0, tab.said.slice(0, 5).join(' | '));
  check('no request but the file', others.length === 0, others.slice(0, 5).join(' '));
  check('no dialog', tab.dialogs.length === 0, tab.dialogs.join(' '));
};

const main = async () => {
  const [page, shots] = process.argv.slice(2);
  if (!page) {
    console.error('browser_check.mjs PAGE.html [FOLDER]');
    process.exit(2);
  }
  withWebSocket();
  const program = findBrowser();
  if (!program) skip('no chromium');
  const profile = mkdtempSync(join(tmpdir(), 'kb-browser-'));
  const folder = shots ?? join(profile, 'shots');
  mkdirSync(folder, {recursive: true});
  const {browser, url} = await startBrowser(program, profile);
  try {
    await run(page, folder, await Tab.open(await Devtools.open(url)));
  } finally {
    browser.removeAllListeners('exit');
    const gone = new Promise((done) => browser.on('exit', done));
    // The program may be a script that started the browser: the whole group.
    process.kill(-browser.pid, 'SIGKILL');
    await gone;
    try {
      rmSync(profile, {recursive: true, force: true, maxRetries: 5, retryDelay: 200});
    } catch { /* a child of the browser's still writes there */ }
  }
  process.exit(failed > 0 ? 1 : 0);
};

await main();
