import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packPackage, readmeBlocks } from '@clew/pack';
import { createTestDataset, manualExample } from './support/datasets.ts';
import { runningStack } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

/** Sections of the README whose programs need a model, or never end; they are compiled in the long tier. */
const NOT_RUN = ['Work that takes time', 'Models'];
const PACKING_MS = 120_000;
const run = promisify(execFile);
const blocks = (await readmeBlocks('libs/sdk/README.md', 'ts')).filter(({ heading }) => !NOT_RUN.includes(heading));

let folder: string;
let project: TestProject;
let datasetId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-sdk-package-'));
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const archive = await packPackage('sdk', folder);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', archive], { cwd: folder });
  await writeFile(join(folder, 'examples.jsonl'), `${JSON.stringify(manualExample('from a file'))}\n`);
  project = await createTestProject('sdk package');
  datasetId = (await createTestDataset(project)).dataset.id;
}, PACKING_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the programs of the README', () => {
  it.each(blocks.map(({ heading, code }, at) => [heading, at, code] as const))(
    'run where nothing but the package is installed: %s (%i)',
    async (_heading, at, code) => {
      const hasClient = /const clew =/.test(code);
      const given = [
        ...(hasClient ? [] : [`import { Clew as Client } from '@clew/sdk';`, `const clew = new Client();`]),
        `const datasetId = ${JSON.stringify(datasetId)};`,
      ];
      const file = join(folder, `block-${at}.ts`);
      await writeFile(file, `${given.join('\n')}\n${code}\n`);
      const { gatewayUrl } = runningStack();
      const env = { ...process.env, CLEW_URL: gatewayUrl, CLEW_API_KEY: project.apiKey, CLEW_PROJECT: project.id };
      const { stdout } = await run(process.execPath, [file], { cwd: folder, env });
      if (code.includes('export(')) expect(stdout).toContain('from a file');
    },
  );
});
