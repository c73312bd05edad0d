import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { useTemporaryDirectory } from '../test-support/temporary-directory.ts';
import { createLineSink, createProgress } from './progress.ts';
import { hasWorkbench, provideWorkbench, type WorkbenchOptions } from './workbench.ts';

const directory = useTemporaryDirectory();
let root: string;

// Writes what the build of the Workbench writes, counts its runs, and fails if it is told to.
const BUILD = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
appendFileSync('../../builds', 'x');
if (existsSync('src/broken.ts')) {
  console.error('src/broken.ts:1:1 is broken');
  process.exit(1);
}
mkdirSync('dist/assets', { recursive: true });
if (existsSync('src/nothing.ts')) process.exit(0);
writeFileSync('dist/index.html', '<base href="/">' + readFileSync('src/main.ts', 'utf8'));
writeFileSync('dist/assets/index-1.js', 'x'.repeat(5000));
writeFileSync('dist/assets/small-1.js', 'x');
`;

beforeEach(() => {
  root = fs.mkdtempSync(path.join(directory(), 'checkout-'));
  write('package.json', '{"name":"checkout","private":true,"workspaces":["apps/*"]}');
  write('package-lock.json', '{}');
  write('apps/workbench/package.json', '{"name":"@clew/workbench","scripts":{"build":"node build.mjs"}}');
  write('apps/workbench/build.mjs', BUILD);
  write('apps/workbench/src/main.ts', 'one');
  write('libs/sdk/src/index.ts', 'sdk');
});

function write(name: string, content: string): void {
  fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  fs.writeFileSync(path.join(root, name), content);
}

const buildCount = () => {
  const file = path.join(root, 'builds');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').length : 0;
};

async function provide(options: Partial<WorkbenchOptions> = {}) {
  const lines: string[] = [];
  const progress = createProgress(createLineSink((line) => lines.push(line), { colored: false }));
  const given = { repositoryRoot: root, env: process.env, signal: new AbortController().signal, build: true };
  const folder = await progress.step('Workbench', (step) => provideWorkbench({ ...given, ...options }, step));
  const index = folder === undefined ? undefined : fs.readFileSync(path.join(folder, 'index.html'), 'utf8');
  return { folder, index, told: lines.join('\n') };
}

describe('the Workbench of a start', () => {
  it('is built once for each content of its sources, and taken from there when they come again', async () => {
    const first = await provide();
    expect(first).toMatchObject({ index: '<base href="/">one', told: expect.stringMatching(/✓ Workbench +built/) });
    const second = await provide();
    expect(second).toMatchObject({ folder: first.folder, told: expect.stringMatching(/- Workbench +built before/) });
    expect(buildCount()).toBe(1);
    write('apps/workbench/src/main.ts', 'two');
    expect((await provide()).index).toBe('<base href="/">two');
    expect(buildCount()).toBe(2);
    write('apps/workbench/src/main.ts', 'one');
    expect(await provide()).toMatchObject({ folder: first.folder, index: '<base href="/">one' });
    expect(buildCount()).toBe(2);
  });

  it.each(['apps/workbench/public/new.svg', 'libs/sdk/src/index.ts', 'package-lock.json'])(
    'is built again when %s changes',
    async (file) => {
      const before = await provide();
      write(file, 'changed');
      expect((await provide()).folder).not.toBe(before.folder);
      expect(buildCount()).toBe(2);
    },
  );

  it('is not built again for what tools write, nor for changes elsewhere', async () => {
    await provide();
    for (const name of ['dist/index.html', 'node_modules/x/index.js', '.vite/deps.json'])
      write(`apps/workbench/${name}`, 'x');
    write('libs/kernel/src/index.ts', 'changed');
    expect((await provide()).told).toContain('built before');
    expect(buildCount()).toBe(1);
  });

  it('is compressed where that saves something', async () => {
    const { folder = '' } = await provide();
    const assets = path.join(folder, 'assets');
    expect(fs.readdirSync(assets).toSorted()).toEqual([
      ...['index-1.js', 'index-1.js.br', 'index-1.js.gz', 'small-1.js'],
    ]);
    expect(gunzipSync(fs.readFileSync(path.join(assets, 'index-1.js.gz'))).toString()).toBe('x'.repeat(5_000));
  });

  it('that cannot be built is told with the reason, and is tried again', async () => {
    write('apps/workbench/src/broken.ts', '');
    for (const count of [1, 2]) {
      const { folder, told } = await provide();
      expect(folder).toBeUndefined();
      expect(told).toContain('src/broken.ts:1:1 is broken');
      expect(told).toContain('it could not be built; the stack runs without it');
      expect(buildCount()).toBe(count);
    }
    fs.rmSync(path.join(root, 'apps/workbench/src/broken.ts'));
    expect((await provide()).index).toBe('<base href="/">one');
  });

  it('whose build writes nothing is told, too', async () => {
    write('apps/workbench/src/nothing.ts', '');
    const { folder, told } = await provide();
    expect([folder, told]).toEqual([
      undefined,
      expect.stringContaining('the build wrote no apps/workbench/dist/index.html'),
    ]);
  });

  it('is used but not built without a build', async () => {
    expect(await provide({ build: false })).toMatchObject({
      folder: undefined,
      told: expect.stringContaining('--no-build'),
    });
    expect(buildCount()).toBe(0);
    const { folder } = await provide();
    expect((await provide({ build: false })).folder).toBe(folder);
  });

  it('is built by one of two starts at the same time, and both have it', async () => {
    const [one, other] = await Promise.all([provide(), provide()]);
    expect([one.folder, buildCount()]).toEqual([other.folder, 1]);
  });

  it('ends with a start that is called off', async () => {
    const off = new AbortController();
    write('apps/workbench/build.mjs', 'setInterval(() => undefined, 1000); console.log("building");');
    const providing = provide({ signal: off.signal });
    off.abort(new Error('called off'));
    await expect(providing).rejects.toThrow();
  });

  it('keeps the builds that were used last', async () => {
    const folders: (string | undefined)[] = [];
    for (const text of ['one', 'two', 'three', 'four', 'five', 'six']) {
      write('apps/workbench/src/main.ts', text);
      const { folder } = await provide();
      folders.push(folder);
      // Distinct times of use, also where a file system has coarse ones.
      fs.utimesSync(folder ?? '', folders.length, folders.length);
    }
    expect(folders.map((folder) => fs.existsSync(folder ?? ''))).toEqual([false, true, true, true, true, true]);
  });

  it('is none in a checkout without it', () => {
    expect(hasWorkbench(root)).toBe(true);
    fs.rmSync(path.join(root, 'apps'), { recursive: true });
    expect(hasWorkbench(root)).toBe(false);
  });
});
