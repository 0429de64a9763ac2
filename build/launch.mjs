/**
 * Starts the console: `node build/launch.mjs desktop|serve|dev [the console's own arguments]`.
 *
 * Builds first when sources are newer than the build. `desktop` takes Electron when its binary is
 * there or can be downloaded, else says so in one line and starts the browser host. `dev` takes either
 * from the sources, with hot reload of the page, and downloads nothing. Runs on Node 20 too, and gives
 * the rest to the Node that npm installed beside it.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { downloadElectron, electronBinary } from './electron-binary.mjs';
import { consoleNodeOptions } from './node-options.mjs';
import { sandboxProblem, sandboxWords } from './sandbox.mjs';
import { reachesGroup } from './terminal.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const say = (sentence) => process.stderr.write(`${sentence}\n`);

const outputs = [
  'out/main/desktop.js',
  'out/main/serve.js',
  'out/preload/index.cjs',
  'out/renderer/index.html',
];
const sources = [
  'src-main',
  'src-preload',
  'src-renderer',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
];
/** A window that ends this early with an error never came up. */
const earlyMs = 10_000;
/** What the console says with its exit status (src-main/cli/app.ts); 1 may also be a display that does not answer. */
const meant = [0, 2, 3];

function suitableNode() {
  const own = join(
    root,
    'node_modules',
    `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
  );
  const candidates = [join(own, 'bin', 'node'), join(own, 'bin', 'node.exe')];
  return candidates.find((path) => existsSync(path)) ?? process.execPath;
}

function newest(path) {
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isBuilt() {
  const built = outputs.map((path) => join(root, path));
  if (!built.every((path) => existsSync(path))) return false;
  const oldest = Math.min(...built.map((path) => statSync(path).mtimeMs));
  const present = sources.map((path) => join(root, path)).filter((path) => existsSync(path));
  return present.every((path) => newest(path) <= oldest);
}

let current = null;
let told = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    told = true;
    // Electron closes at the first one and dies of the second, in the middle of closing.
    if (!reachesGroup(signal)) current?.kill(signal);
  });
}

/**
 * npm passes a signal to the shell between itself and this program, and some shells end without
 * passing it on: the console would then run without an end. So this program also ends with that shell.
 */
function followParent() {
  if (process.platform === 'win32' || process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent && !told) process.kill(process.pid, 'SIGTERM');
  }, 250).unref();
}

/**
 * Runs a program to its end and passes on the signals that come meanwhile.
 *
 * @returns {Promise<{ status: number, signal: string | null }>} `signal`: what ended it unasked, or null
 */
function run(program, args, options) {
  return new Promise((resolve) => {
    current = spawn(program, args, options);
    const end = (status, signal = null) => {
      current = null;
      resolve({ status, signal });
    };
    current.on('error', (error) => {
      say(error.message);
      end(127);
    });
    current.on('close', (code, signal) => {
      if (code !== null) end(code);
      else if (told) end(0);
      else end(128, signal);
    });
  });
}

/** Why there can be no window on this machine, or null. */
function noWindow() {
  if (process.platform !== 'linux') return null;
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'There is no display';
  if (process.getuid?.() === 0) {
    return 'Electron runs as root only without its sandbox, which the console never gives up; start it as another user';
  }
  return null;
}

/** The console from its sources: on the desktop where there is one, else in a browser. */
async function develop(node, args) {
  const binary = electronBinary();
  const reason = noWindow() ?? (binary === null ? 'Electron’s binary is not here' : null);
  if (reason !== null) say(`${reason}: the console runs in a browser.`);
  const program =
    reason === null
      ? [join(root, 'node_modules/electron-vite/bin/electron-vite.js'), 'dev', '--', ...args]
      : [join(root, 'build/dev/main.ts'), ...args];
  const { status } = await run(node, program, { cwd: root, stdio: 'inherit', env: withoutRunAsNode() });
  if (binary !== null && reason === null && !told && status !== 0) adviseOnSandbox(binary);
  return status;
}

/** Says why Electron has no sandbox, where that may be why it did not start. */
function adviseOnSandbox(binary) {
  const problem = process.platform === 'linux' ? sandboxProblem(binary) : null;
  for (const line of problem === null ? [] : sandboxWords(problem)) say(line);
}

/** That variable is set by some editors' terminals; Electron would run as plain Node. */
function withoutRunAsNode() {
  const { ELECTRON_RUN_AS_NODE: _set, ...environment } = process.env;
  return environment;
}

async function start() {
  const [what, ...args] = process.argv.slice(2);
  if (what !== 'desktop' && what !== 'serve' && what !== 'dev') {
    say('Usage: node build/launch.mjs desktop|serve|dev [arguments]');
    return 2;
  }
  const node = suitableNode();
  if (what === 'dev') return develop(node, args);
  if (!isBuilt()) {
    say('Building the console (only when its sources changed) ...');
    const builder = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
    const { status } = await run(node, [builder, 'build', '--logLevel', 'warn'], {
      cwd: root,
      // The build's words must not mix with the one line that the console prints.
      stdio: ['ignore', 2, 2],
    });
    if (told) return 0;
    if (status !== 0) {
      say('The console could not be built.');
      return 1;
    }
  }

  const serve = async () =>
    (await run(node, [...consoleNodeOptions, join(root, 'out/main/serve.js'), ...args], { stdio: 'inherit' }))
      .status;
  const onlyWords = args.includes('--version') || args.includes('--help');
  if (what === 'serve' || onlyWords) return serve();

  let reason = noWindow();
  if (reason === null && electronBinary() === null) {
    say('Downloading Electron (only once) ...');
    const failure = await downloadElectron(node);
    if (told) return 0;
    if (failure !== null) reason = `Electron could not be downloaded (${failure})`;
  }
  const binary = electronBinary();
  if (reason === null && binary !== null) {
    const began = performance.now();
    // The folder, not a file in it: only then Electron reads the application's name, to which its keys belong.
    const { status, signal } = await run(binary, [root, ...args], {
      stdio: 'inherit',
      env: withoutRunAsNode(),
    });
    if (told || meant.includes(status) || performance.now() - began > earlyMs) return status;
    reason = `Electron could not start (${signal === null ? `status ${status}` : `ended by ${signal}`})`;
    adviseOnSandbox(binary);
  }
  say(`${reason}: starting the console in a browser instead.`);
  return serve();
}

followParent();
process.exitCode = await start();
