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
let commandLine: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-packages-'));
  archive = await packPackage('sdk', folder);
  commandLine = await packPackage('cli', folder);
}, PACKING_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each([
  ['SDK', () => archive],
  ['command line', () => commandLine],
])('the package of the %s', (_name, packed) => {
  it('holds what is used, and nothing of the repository', async () => {
    const { stdout } = await run('tar', ['-tzf', packed()]);
    const files = stdout.trim().split('\n');
    expect(
      files.filter((file) => !/^package\/(?:dist\/.+\.(?:js|d\.ts)|package\.json|README\.md|LICENSE)$/.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => /test|\.tsbuildinfo/.test(file))).toEqual([]);
  });
});

describe('the package of the SDK', () => {
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

describe('the package of the command line', () => {
  it(
    'installs in an empty folder, without a driver of a database or broker, and runs there',
    async () => {
      const empty = join(folder, 'command-line');
      await run('mkdir', [empty]);
      await writeFile(join(empty, 'package.json'), '{"private":true}');
      await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', archive, commandLine], {
        cwd: empty,
      });
      const lock = JSON.parse(await readFile(join(empty, 'node_modules/.package-lock.json'), 'utf8')) as {
        packages: object;
      };
      const installed = Object.keys(lock.packages).map((path) => path.replace('node_modules/', ''));
      expect(installed).toEqual(expect.arrayContaining(['@clew/cli', '@clew/sdk', 'commander', '@clack/prompts']));
      expect(installed.filter((name) => /mongo|amqp|@clew\/(?!cli|sdk)/.test(name))).toEqual([]);
      const { stdout } = await run(join(empty, 'node_modules/.bin/clew'), ['--version'], { cwd: empty });
      expect(stdout).toBe('0.1.0\n');
      const help = await run('npx', ['--no-install', 'clew', 'findings', '--help'], { cwd: empty });
      expect(help.stdout).toContain('list Findings');
    },
    PACKING_MS,
  );

  it(
    'runs by npx, which installs it for once',
    async () => {
      const packages = ['--package', archive, '--package', commandLine];
      const { stdout } = await run('npx', ['--yes', '--prefer-offline', ...packages, 'clew', '--version'], {
        cwd: folder,
      });
      expect(stdout).toBe('0.1.0\n');
    },
    PACKING_MS,
  );
});
