// Entry point of `npm start`, `npm run stop`, `npm run stack` and `npm test`: plain JavaScript that runs on Node 18 and
// newer without any dependency. It installs the dependencies if they differ from the lock file, and hands over to the
// Node among them. A start takes only the packages that running needs: half of the installation serves tests and builds.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 24;
// Parts of the lock file: dependencies alone, or with devDependencies.
const RUNNING = 'running';
const ALL = 'all';
const root = fileURLToPath(new URL('../..', import.meta.url));
const lockFile = path.join(root, 'package-lock.json');
const modules = path.join(root, 'node_modules');
const stampFile = path.join(modules, '.clew-lock-sha256');
const compileCache = path.join(modules, '.cache', 'clew-compiled');
const installLock = path.join(os.tmpdir(), `clew-install-${digest(root).slice(0, 16)}.pid`);

function digest(content) {
  return createHash('sha256').update(content).digest('hex');
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function fail(message, hint) {
  process.stderr.write(`\n${message}\n${hint === undefined ? '' : `${hint}\n`}`);
  process.exit(1);
}

/** Installed packages according to npm's own record. */
function installedPackages() {
  try {
    return JSON.parse(read(path.join(modules, '.package-lock.json'))).packages;
  } catch {
    return {};
  }
}

/** Whether npm, run by hand, has installed all or the running part of the lock file. */
function matchesInstalledRecord(part) {
  try {
    const wanted = JSON.parse(read(lockFile)).packages;
    const installed = installedPackages();
    return Object.entries(wanted).every(([name, entry]) => {
      if (!name.includes('node_modules/') || entry.optional || entry.link) return true;
      if (part === RUNNING && entry.dev) return true;
      return entry.peer || installed[name]?.version === entry.version;
    });
  } catch {
    return false;
  }
}

function isInstalled(part) {
  const stamp = read(stampFile);
  if (stamp === stampOf(ALL) || stamp === stampOf(part)) return true;
  if (!matchesInstalledRecord(part)) return false;
  writeStamp(part);
  return true;
}

function stampOf(part) {
  return `${part} ${digest(read(lockFile) ?? '')}`;
}

function writeStamp(part) {
  fs.writeFileSync(stampFile, stampOf(part));
}

function sleep(durationMs) {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

/** Takes a lock, since two starts in one checkout must not install at the same time. */
async function takeInstallLock() {
  for (let waited = false; ; waited = true) {
    try {
      fs.writeFileSync(installLock, String(process.pid), { flag: 'wx' });
      process.once('exit', () => fs.rmSync(installLock, { force: true }));
      return;
    } catch {
      const holder = Number(read(installLock));
      if (!(holder > 0 && isRunning(holder))) fs.rmSync(installLock, { force: true });
      else if (!waited) say('waiting for another installation in this checkout');
      await sleep(500);
    }
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

async function install(needed) {
  await takeInstallLock();
  if (isInstalled(needed)) return;
  // A checkout that has the packages of tests keeps them when the lock file changes.
  const part = Object.values(installedPackages()).some(({ dev }) => dev) ? ALL : needed;
  const startedAtMs = Date.now();
  const clock = setInterval(() => say(`  still installing, ${seconds(startedAtMs)}`), 15_000);
  const result = isInstalled(RUNNING) ? await addTheRest() : await installAnew(part);
  clearInterval(clock);
  if (result.code !== 0) {
    fail(
      `${result.output}\nThe dependencies could not be installed: npm ended with exit code ${result.code}.`,
      'npm needs to reach a package registry (npm config get registry). Correct that and start again.',
    );
  }
  writeStamp(part);
  say(`installed (${seconds(startedAtMs)})`);
}

async function installAnew(part) {
  const flags = [part === RUNNING ? '--omit=dev' : '--include=dev', ...QUIET];
  say(`installing the dependencies of package-lock.json (npm ci ${flags[0]})`);
  const result = await runToEnd('npm', ['ci', ...flags]);
  // A lock file made behind a registry that lacks packages of other systems does not list these, and npm ci refuses it
  // completely. npm install uses the same versions from it and does without the missing packages.
  if (result.code === 0 || !result.output.includes('EUSAGE')) return result;
  say('npm ci wants a more complete lock file; installing from it with npm install, which leaves it as it is');
  return runToEnd('npm', ['install', '--no-save', ...flags]);
}

/** Adds the packages of tests and builds to those of a start; npm ci would first remove them under a running stack. */
function addTheRest() {
  say('installing the packages of tests and builds too (npm install --include=dev)');
  return runToEnd('npm', ['install', '--no-save', '--include=dev', ...QUIET]);
}

function seconds(sinceMs) {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;
}

function runToEnd(command, args) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

function majorVersion(node) {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return status === 0 ? Number(/^v(\d+)/.exec(stdout)?.[1] ?? 0) : 0;
}

/** Node among the dependencies, or the machine's own if that is new enough. */
function findNode() {
  const own = path.join(modules, 'node', 'bin', 'node');
  if (majorVersion(own) >= NEEDED_MAJOR) return own;
  if (majorVersion(process.execPath) >= NEEDED_MAJOR) return process.execPath;
  // npm can be configured to skip installation scripts, and this package installs its program with one.
  const installer = path.join(modules, 'node', 'installArchSpecificPackage.js');
  if (fs.existsSync(installer)) {
    say(`fetching Node ${NEEDED_MAJOR}`);
    spawnSync(process.execPath, [installer], { cwd: path.dirname(installer), stdio: 'inherit' });
    if (majorVersion(own) >= NEEDED_MAJOR) return own;
  }
  return fail(
    `Node ${NEEDED_MAJOR} is needed; this is Node ${process.versions.node}, and the one of the dependencies does not run (${own}).`,
    `Allow npm to run the installation script of the package "node" (npm rebuild node), or install Node ${NEEDED_MAJOR}.`,
  );
}

/**
 * Arguments for Node: `run <script> [arguments]` runs another script of this repository; all else goes to the stack.
 */
function commandLine(args) {
  if (args[0] === 'run') return ['--conditions=clew-source', path.join(root, args[1] ?? ''), ...args.slice(2)];
  return ['--conditions=clew-source', path.join(root, 'tools/stack/src/main.ts'), ...args];
}

/** Sources stripped of their types, and compiled modules, are kept: all processes of a stack load much the same ones. */
function environment([command]) {
  return command === 'run' ? process.env : { NODE_COMPILE_CACHE: compileCache, ...process.env };
}

function handOver(node, args) {
  const child = spawn(node, commandLine(args), { cwd: root, env: environment(args), stdio: 'inherit' });
  // A Ctrl-C of the terminal reaches the child directly; signals to this process alone are passed on to it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => fail(error.message));
  child.once('close', (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0)));
}

function partFor([command, ...options]) {
  return command === 'start' && !options.includes('--built') ? RUNNING : ALL;
}

const args = process.argv.slice(2);
// Other commands never install: under a running stack, the modules must stay as they are.
if (['start', 'run'].includes(args[0]) && !isInstalled(partFor(args))) await install(partFor(args));
if (!fs.existsSync(modules)) fail('Nothing is installed here yet.', 'Begin with "npm start".');
handOver(findNode(), args);
