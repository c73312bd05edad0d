import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packPackage } from './pack-package.ts';

const run = promisify(execFile);
const PACKING_MS = 120_000;
let folder: string;
let archive: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-packages-'));
  archive = await packPackage('sdk', folder);
}, PACKING_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the package of the SDK', () => {
  it('holds what is used, and nothing of the repository', async () => {
    const { stdout } = await run('tar', ['-tzf', archive]);
    const files = stdout.trim().split('\n');
    expect(
      files.filter((file) => !/^package\/(?:dist\/.+\.(?:js|d\.ts)|package\.json|README\.md|LICENSE)$/.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => /test|\.tsbuildinfo/.test(file))).toEqual([]);
  });

  it(
    'installs in an empty folder, without any other package, and runs there',
    async () => {
      const empty = join(folder, 'empty');
      await run('mkdir', [empty]);
      await writeFile(join(empty, 'package.json'), '{"private":true,"type":"module"}');
      await run('npm', ['install', '--offline', '--no-audit', '--no-fund', archive], { cwd: empty });
      const lock = JSON.parse(await readFile(join(empty, 'node_modules/.package-lock.json'), 'utf8')) as {
        packages: object;
      };
      expect(Object.keys(lock.packages)).toEqual(['node_modules/@clew/sdk']);
      const program = [
        `import { Clew, createClient } from '@clew/sdk';`,
        `import { findings } from '@clew/sdk/resources';`,
        `const options = { baseUrl: 'https://clew.test', apiKey: 'k', project: 'p' };`,
        `const small = createClient(options, { findings });`,
        `console.log(typeof new Clew(options).datasets.export, Object.keys(small.findings).includes('list'));`,
      ].join('\n');
      await writeFile(join(empty, 'program.js'), program);
      const { stdout } = await run(process.execPath, ['program.js'], { cwd: empty });
      expect(stdout).toBe('function true\n');
      const manifest = await readFile(join(empty, 'node_modules/@clew/sdk/package.json'), 'utf8');
      expect(manifest).not.toMatch(/clew-source|"nx"|private/);
    },
    PACKING_MS,
  );
});
