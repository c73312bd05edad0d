import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useTemporaryDirectory } from '../test-support/temporary-directory.ts';
import { bringLocalModels, wantsLocalModels } from './local-models.ts';

const directory = useTemporaryDirectory();
const keys = {
  ...{ workspaceId: 'ws_1', apiKey: 'clew_one', projectId: 'prj_1' },
  ...{ otherProjectId: 'prj_2', otherApiKey: 'clew_two' },
};
let checkouts = 0;

/** Brings up the local models with the test's own script instead of the real one. */
async function bring(script: string, signal = new AbortController().signal): Promise<string[]> {
  checkouts += 1;
  const repositoryRoot = path.join(directory(), `checkout-${checkouts}`);
  const folder = path.join(repositoryRoot, 'tools', 'seed', 'src', 'local-models');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'main.ts'), script);
  const lines: string[] = [];
  await bringLocalModels({
    ...{ repositoryRoot, gatewayUrl: 'http://127.0.0.1:1', keys, signal },
    env: process.env,
    log: (line) => void lines.push(line),
  });
  return lines;
}

describe('local models', () => {
  it('are brought with the key of the seeded project, and each line of it is told', async () => {
    const script = `const { CLEW_GATEWAY_URL, CLEW_API_KEY, CLEW_PROJECT_ID } = process.env;
      console.log([CLEW_GATEWAY_URL, CLEW_API_KEY, CLEW_PROJECT_ID].join(' '));
      console.log('ready');`;
    expect(await bring(script)).toEqual(['local models: http://127.0.0.1:1 clew_one prj_1', 'local models: ready']);
  });

  it('that cannot be had are told of, and nothing else happens', async () => {
    const lines = await bring(`console.error('no registry can be reached'); process.exitCode = 1;`);
    expect(lines).toEqual([
      'local models: no registry can be reached',
      expect.stringMatching(/^local models: not complete \(ended with exit code 1\); the stack serves without them/),
    ]);
  });

  it('end with the stack, without a word', async () => {
    const stopping = new AbortController();
    const script = `console.log('started'); setInterval(() => undefined, 1000);`;
    const lines: string[] = [];
    setImmediate(() => stopping.abort());
    lines.push(...(await bring(script, stopping.signal)));
    expect(lines.filter((line) => line.includes('not complete'))).toEqual([]);
  });

  it('are not there where the checkout has none', async () => {
    const lines: string[] = [];
    const options = { gatewayUrl: '', keys, env: process.env, signal: new AbortController().signal };
    await bringLocalModels({ ...options, repositoryRoot: directory(), log: (line) => void lines.push(line) });
    expect(lines).toEqual([]);
  });

  it.each([
    [{}, true],
    [{ CLEW_LOCAL_MODEL: 'off' }, false],
    [{ CLEW_SEED: 'none' }, false],
  ])('with %j are wanted: %s', (env, isWanted) => {
    expect(wantsLocalModels(env)).toBe(isWanted);
  });
});
