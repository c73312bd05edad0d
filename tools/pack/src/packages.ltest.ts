import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packPackage } from './pack-package.ts';
import { readmeBlocks } from './readme-blocks.ts';

const run = promisify(execFile);
const INSTALLING_MS = 600_000;
/** Programs that judge packages and run them elsewhere; kept out of this repository's own dependencies for their size. */
const TOOLS = [
  'publint@0.3.25',
  '@arethetypeswrong/cli@0.18.5',
  'esbuild@0.28.2',
  'typescript@6.0.3',
  'openai@7.57.0',
  '@types/node@24.19.2',
];
/** The executable of Node.js 20 for this machine, which `node@20` would install by a script. */
const OLD_NODE = `node-${process.platform}-${process.arch}`;
const WHOLE_BYTES = 15 * 1_024;
const ONE_RESOURCE_BYTES = 7 * 1_024;

let folder: string;
let archive: string;
const bin = (name: string) => join(folder, 'node_modules/.bin', name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-packages-'));
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  archive = await packPackage('sdk', folder);
  const install = ['install', '--no-audit', '--no-fund', ...TOOLS, `${OLD_NODE}@20.20.2`, archive];
  await run('npm', install, { cwd: folder });
}, INSTALLING_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function bundleSize(name: string, program: string): Promise<number> {
  await writeFile(join(folder, `${name}.js`), program);
  const out = join(folder, `${name}.min.js`);
  await run(bin('esbuild'), [`${name}.js`, '--bundle', '--minify', '--format=esm', `--outfile=${out}`], {
    cwd: folder,
  });
  return gzipSync(await readFile(out)).length;
}

describe('the package of the SDK', () => {
  it(
    'has nothing that publint or arethetypeswrong reports',
    async () => {
      const { stdout } = await run(bin('publint'), ['run', archive, '--strict'], { cwd: folder });
      expect(stdout).toMatch(/All good/);
      // It is for programs with ES modules alone; a problem would end this with an exit code.
      await run(bin('attw'), [archive, '--profile', 'esm-only'], { cwd: folder });
    },
    INSTALLING_MS,
  );

  it('is small, whole and with one resource', async () => {
    const whole = await bundleSize('whole', `import { Clew } from '@clew/sdk'; console.log(new Clew());`);
    const one = await bundleSize(
      'one',
      `import { createClient } from '@clew/sdk'; import { findings } from '@clew/sdk/resources'; console.log(createClient({}, { findings }));`,
    );
    process.stdout.write(`${JSON.stringify({ wholeGzipBytes: whole, oneResourceGzipBytes: one })}\n`);
    expect(whole).toBeLessThanOrEqual(WHOLE_BYTES);
    expect(one).toBeLessThanOrEqual(ONE_RESOURCE_BYTES);
  });

  it('runs on Node.js 20', async () => {
    await writeFile(
      join(folder, 'program.js'),
      [
        `import { createServer } from 'node:http';`,
        `import { Clew } from '@clew/sdk';`,
        `const answers = [['1', 'a'], [null, 'b']].map(([nextCursor, id]) => ({ datasets: [{ id }], nextCursor }));`,
        `const server = createServer((request, response) => response.end(JSON.stringify(answers.shift())));`,
        `await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));`,
        `const clew = new Clew({ baseUrl: 'http://127.0.0.1:' + server.address().port, apiKey: 'k', project: 'p' });`,
        `const ids = [];`,
        `for await (const { id } of clew.datasets.list()) ids.push(id);`,
        `console.log(process.versions.node.split('.')[0], ids.join());`,
        `server.close();`,
      ].join('\n'),
    );
    const { stdout } = await run(join(folder, 'node_modules', OLD_NODE, 'bin/node'), ['program.js'], { cwd: folder });
    expect(stdout).toBe('20 a,b\n');
  });

  it.each(['nodenext', 'bundler'])('has types for a strict program, as %s finds them', async (resolution) => {
    const project = join(folder, `types-${resolution}`);
    await mkdir(project);
    await writeFile(
      join(project, 'program.ts'),
      [
        `import { Clew, type Api } from '@clew/sdk';`,
        `const clew = new Clew();`,
        `const page = await clew.findings.list({ severity: ['critical', 'high'], limit: 10 });`,
        `const severity: 'critical' | 'high' | 'medium' | 'low' | 'info' | undefined = page.data[0]?.severity;`,
        `const changed = await clew.findings.update('fnd_1', { reviewStatus: 'confirmed' }, { ifMatch: '"1"' }).result();`,
        `if (!changed.ok && changed.error.code === 'ACTIVE_WORK_ITEM') console.log(severity);`,
        `// @ts-expect-error A status that there is not.`,
        `await clew.findings.update('fnd_1', { reviewStatus: 'maybe' });`,
        `// @ts-expect-error A query parameter that there is not.`,
        `clew.findings.list({ colour: 'red' });`,
        `export const finding: Api.Finding | undefined = page.data[0];`,
      ].join('\n'),
    );
    const compilerOptions = {
      ...{ module: resolution === 'bundler' ? 'esnext' : 'nodenext', moduleResolution: resolution, target: 'es2022' },
      ...{
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        types: [],
        lib: ['es2024', 'dom', 'dom.iterable'],
      },
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    await writeFile(join(project, 'package.json'), '{"type":"module"}');
    const compiled = run(bin('tsc'), ['-p', project], { cwd: folder });
    expect(
      await compiled.then(
        () => '',
        (error: { stdout: string }) => error.stdout,
      ),
    ).toBe('');
  });

  it('has a README whose programs compile', async () => {
    const project = join(folder, 'readme');
    await mkdir(project);
    const given = [
      `import { Clew as Client } from '@clew/sdk';`,
      `declare global {`,
      `var clew: Client;`,
      `var datasetId: string;`,
      `var goalId: string;`,
      `}`,
    ];
    await writeFile(join(project, 'given.d.ts'), given.join('\n'));
    for (const [at, { code }] of (await readmeBlocks('libs/sdk/README.md', 'ts')).entries()) {
      await writeFile(join(project, `block-${at}.ts`), `${code}\nexport {};\n`);
    }
    const compilerOptions = {
      ...{ module: 'nodenext', moduleResolution: 'nodenext', target: 'es2024', strict: true, noEmit: true },
      ...{ skipLibCheck: true, types: ['node'], lib: ['es2024', 'dom', 'dom.iterable'] },
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    await writeFile(join(project, 'package.json'), '{"type":"module"}');
    const compiled = run(bin('tsc'), ['-p', project], { cwd: folder });
    expect(
      await compiled.then(
        () => '',
        (error: { stdout: string }) => error.stdout,
      ),
    ).toBe('');
  });
});
