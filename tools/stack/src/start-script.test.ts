import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { useTemporaryDirectory } from './test-support/temporary-directory.ts';

const START_SCRIPT = fileURLToPath(new URL('../start.mjs', import.meta.url));

// Records its calls and leaves the files of an installation; `ci` can be made to fail like npm.
const FAKE_NPM = `#!/bin/sh
echo "$1 $(echo "$*" | grep -o -e '--[a-z]*=dev')" >> npm-calls
if [ "$1" = ci ] && [ -f refuse-ci ]; then echo "npm error code $(cat refuse-ci)" >&2; exit 1; fi
mkdir -p node_modules/node/bin
printf '#!/bin/sh\\nexec "${process.execPath}" "$@"\\n' > node_modules/node/bin/node
chmod +x node_modules/node/bin/node
`;

const CI_OF_START = 'ci --omit=dev';

const directory = useTemporaryDirectory();
let checkout: string;

beforeEach(() => {
  checkout = fs.mkdtempSync(path.join(directory(), 'checkout-'));
  fs.mkdirSync(path.join(checkout, 'tools', 'stack', 'src'), { recursive: true });
  fs.mkdirSync(path.join(checkout, 'bin'));
  fs.copyFileSync(START_SCRIPT, path.join(checkout, 'tools', 'stack', 'start.mjs'));
  fs.writeFileSync(
    path.join(checkout, 'tools', 'stack', 'src', 'main.ts'),
    "console.log('main', process.argv.slice(2), process.env['NODE_COMPILE_CACHE'])",
  );
  fs.writeFileSync(path.join(checkout, 'tools', 'other.ts'), "console.log(process.env['NODE_COMPILE_CACHE'])");
  fs.writeFileSync(path.join(checkout, 'bin', 'npm'), FAKE_NPM, { mode: 0o755 });
  write('package-lock.json', '{"packages":{"node_modules/a":{"version":"1.0.0"}}}');
});

function write(name: string, content: string): void {
  fs.writeFileSync(path.join(checkout, name), content);
}

function start(...args: string[]) {
  const PATH = `${path.join(checkout, 'bin')}${path.delimiter}${process.env['PATH']}`;
  const env = { ...process.env, PATH, NODE_COMPILE_CACHE: undefined };
  const script = path.join(checkout, 'tools', 'stack', 'start.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env });
  return { status, stdout, stderr };
}

function npmCalls(): string[] {
  const file = path.join(checkout, 'npm-calls');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n') : [];
}

describe('npm start', () => {
  it('installs once, and again only when the lock file has changed', () => {
    expect(start('start', '--detach').stdout).toContain("main [ 'start', '--detach' ]");
    start('start');
    expect(npmCalls()).toEqual([CI_OF_START]);
    write('package-lock.json', '{"packages":{"node_modules/a":{"version":"2.0.0"}}}');
    start('start');
    expect(npmCalls()).toEqual([CI_OF_START, CI_OF_START]);
  });

  it('leaves alone what was installed by hand from the same lock file', () => {
    start('start');
    write('package-lock.json', '{"packages":{"node_modules/b":{"version":"3.0.0"}}}');
    write('node_modules/.package-lock.json', '{"packages":{"node_modules/b":{"version":"3.0.0"}}}');
    start('start');
    expect(npmCalls()).toEqual([CI_OF_START]);
  });

  it('does without the packages of tests and builds, until these are wanted', () => {
    start('start');
    start('run', 'tools/other.ts');
    start('run', 'tools/other.ts');
    start('start');
    start('start', '--built');
    expect(npmCalls()).toEqual([CI_OF_START, 'install --include=dev']);
  });

  it('installs everything at once for a run of tests or a build', () => {
    start('run', 'tools/other.ts');
    expect(npmCalls()).toEqual(['ci --include=dev']);
    fs.rmSync(path.join(checkout, 'node_modules'), { recursive: true });
    start('start', '--built');
    expect(npmCalls()).toEqual(['ci --include=dev', 'ci --include=dev']);
  });

  it('takes an installation by hand without the packages of tests for one that can start, and no more', () => {
    const lock = '{"packages":{"node_modules/a":{"version":"1.0.0"},"node_modules/t":{"version":"1.0.0","dev":true}}}';
    start('start');
    write('package-lock.json', lock);
    write('node_modules/.package-lock.json', '{"packages":{"node_modules/a":{"version":"1.0.0"}}}');
    start('start');
    expect(npmCalls()).toEqual([CI_OF_START]);
    start('run', 'tools/other.ts');
    expect(npmCalls()).toEqual([CI_OF_START, 'install --include=dev']);
  });

  it('keeps the packages of tests, where a checkout has them, when the lock file changes', () => {
    start('start');
    write('node_modules/.package-lock.json', '{"packages":{"node_modules/t":{"version":"1.0.0","dev":true}}}');
    write('package-lock.json', '{"packages":{"node_modules/a":{"version":"2.0.0"}}}');
    start('start');
    expect(npmCalls()).toEqual([CI_OF_START, 'ci --include=dev']);
  });

  it('installs from a lock file that npm ci finds incomplete', () => {
    write('refuse-ci', 'EUSAGE');
    expect(start('start').status).toBe(0);
    expect(npmCalls()).toEqual([CI_OF_START, 'install --omit=dev']);
  });

  it('keeps compiled modules beside those that are installed, for the stack alone', () => {
    const compiled = path.join(fs.realpathSync(checkout), 'node_modules', '.cache', 'clew-compiled');
    expect(start('start').stdout).toContain(compiled);
    expect(start('run', 'tools/other.ts').stdout).toContain('undefined');
  });

  it('says what npm said when the installation fails, and how to help', () => {
    write('refuse-ci', 'ENOTFOUND');
    const { status, stderr } = start('start');
    expect(status).toBe(1);
    expect(stderr).toContain('npm error code ENOTFOUND');
    expect(stderr).toContain('npm needs to reach a package registry');
  });
});

describe('npm run stop', () => {
  it('installs nothing', () => {
    const { status, stderr } = start('stop');
    expect([status, npmCalls()]).toEqual([1, []]);
    expect(stderr).toContain('Begin with "npm start"');
  });
});
