import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runClew } from './run.ts';
import { startDescribedApi, type DescribedApi } from './test-support/described-api.ts';
import { fakeIo, temporaryFolder } from './test-support/fake-io.ts';

const MAIN = join(import.meta.dirname, 'main.ts');
const folder = temporaryFolder();
const home = join(folder.path, 'home');
let api: DescribedApi;

const environment = (more: Record<string, string> = {}) => ({
  ...{ PATH: `${folder.path}:${process.env['PATH'] ?? ''}`, HOME: home, TERM: 'xterm' },
  ...{ CLEW_URL: api.url, CLEW_API_KEY: 'clew_live_test', CLEW_PROJECT: 'prj_1', ...more },
});

beforeAll(async () => {
  api = await startDescribedApi();
  mkdirSync(home);
  // A command `clew` that runs from the sources.
  const command = join(folder.path, 'clew');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" --conditions=clew-source "${MAIN}" "$@"\n`);
  chmodSync(command, 0o755);
  for (const shell of ['bash', 'zsh', 'fish']) {
    const io = fakeIo();
    await runClew(['completion', shell], io);
    writeFileSync(join(folder.path, `completion.${shell}`), io.out());
  }
});
afterAll(async () => {
  await api.close();
  folder[Symbol.dispose]();
});

const has = (program: string) => spawnSync('which', [program]).status === 0;

/** Ways to ask a shell what may follow a line: the command that it runs, and its output as values. */
const SHELLS = {
  bash: (line: string) => {
    const words = line.split(' ');
    const script = `. ${folder.path}/completion.bash; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _clew; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return ['bash', ['--norc', '-c', script]] as const;
  },
  // The functions of zsh's completion system run only in its line editor, so what they are given is looked at.
  zsh: (line: string) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    const script = `compdef() { : }; _describe() { print -l -- \${\${(P)2}%%:*} }; _files() { : }; . ${folder.path}/completion.zsh; words=(${words.join(' ')}); CURRENT=${words.length}; _clew`;
    return ['zsh', ['-f', '-c', script]] as const;
  },
  fish: (line: string) => {
    const script = `source ${folder.path}/completion.fish; complete -C '${line}' | string split -f1 \\t`;
    return ['fish', ['--no-config', '-c', script]] as const;
  },
};

/** Runs a program without blocking the stub, which answers from this process. */
async function outputOf([program, args]: readonly [string, readonly string[]], env = environment()): Promise<string> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  child.stderr.on('data', (part: Buffer) => (output += part.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  return output;
}

for (const [shell, asking] of Object.entries(SHELLS)) {
  const describeIfThere = has(shell) ? describe : describe.skip;
  describeIfThere(`completion in ${shell}`, () => {
    it.each([
      { line: 'clew find', values: ['findings'] },
      { line: 'clew findings con', values: ['confirm'] },
      { line: 'clew findings list --work-item a', values: ['active'] },
      { line: 'clew findings list --review', values: ['--review-status'] },
      { line: 'clew completion none-of-them', values: [] },
      { line: 'clew datasets show ', values: ['id_1'] },
      { line: 'clew findings confirm fnd_1 ', values: ['id_1'] },
      { line: 'clew findings list --project ', values: ['id_1'] },
    ])('offers $values after "$line"', async ({ line, values }) => {
      const lines = (await outputOf(asking(line))).split('\n').filter((value) => value !== '');
      expect(lines).toEqual(values);
    });
  });
}

describe('completion', () => {
  const candidates = async (env: Record<string, string>, ...words: string[]) => {
    const io = fakeIo({ env: environment(env) });
    expect(await runClew(['__complete', ...words], io)).toBe(0);
    return io.out();
  };

  it('remembers things for a minute, for each key apart, and only its owner may read them', async () => {
    const cache = { XDG_CACHE_HOME: join(folder.path, 'cache') };
    api.reset();
    await candidates(cache, 'datasets', 'show', '');
    await candidates(cache, 'datasets', 'show', '');
    expect(api.seen).toHaveLength(1);
    await candidates({ ...cache, CLEW_API_KEY: 'clew_live_other' }, 'datasets', 'show', '');
    expect(api.seen).toHaveLength(2);
    expect(readdirSync(join(folder.path, 'cache/clew'))).toHaveLength(2);
  });

  it('offers nothing, and says nothing, when the API does not answer', async () => {
    const nobody = { CLEW_URL: 'http://127.0.0.1:9', XDG_CACHE_HOME: join(folder.path, 'none') };
    expect(await candidates(nobody, 'datasets', 'show', '')).toBe('');
    expect(await candidates({ ...nobody, CLEW_URL: 'nonsense' }, 'datasets', 'show', '')).toBe('');
  });
});

const describeWithScript = has('script') ? describe : describe.skip;
describeWithScript('the program itself', () => {
  it('draws a table with colours on a real terminal', async () => {
    const out = await outputOf(['script', ['-qec', 'stty cols 80; clew projects list', '/dev/null']], environment());
    expect(out).toContain('\u001b[2mID\u001b[22m');
  });

  it('writes fields between tabs into a real pipe', async () => {
    expect(await outputOf(['sh', ['-c', 'clew projects list | cat']])).toMatch(/^id_1\tname one\t[\dT:.Z-]+\n$/);
  });

  it('ends silently with 0 when the reader of its pipe has seen enough', async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => ({ id: `prj_${at}`, name: 'x'.repeat(100), createdAt: at }));
    api.answer('/v1/projects', (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ projects: many, nextCursor: null }));
    });
    const script = 'set -o pipefail; clew projects list | head -n 1; echo "code $?"';
    expect(await outputOf(['bash', ['-c', script]])).toMatch(/^prj_0\t.*\ncode 0\n$/);
    api.reset();
  });

  it('ends with 130 on Ctrl-C', async () => {
    const isAsked = new Promise<void>((resolve) => api.answer('/v1/projects', () => resolve()));
    const child = spawn(join(folder.path, 'clew'), ['projects', 'list'], { env: environment(), stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await isAsked;
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    api.reset();
  });
});
