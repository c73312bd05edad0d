import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clew, PullError, type PullProgress } from '../index.ts';
import { startStubApi, type StubAnswer, type StubApi } from '../test-support/stub-api.ts';

const PROFILE = { id: 'q8', modelId: 'm', engine: 'llama.cpp', files: [] };
const MODEL = { id: 'm', profiles: [PROFILE], selectedProfileId: 'q8' };
const OF_PROFILE = { modelId: 'm', profileId: 'q8', generation: 2, error: null };
const engine = (state: string) => ({ engine: 'llama.cpp', state, generation: 1, message: 'building', error: null });
const download = (state: string, bytesDone: number) => ({ ...OF_PROFILE, state, bytesDone, bytesTotal: 100 });
const service = (state: string, error: object | null = null) => ({ ...OF_PROFILE, model: 'self/m', state, error });

let stub: StubApi;
let clew: Clew;

beforeAll(async () => {
  stub = await startStubApi();
  clew = new Clew({ baseUrl: stub.url, apiKey: 'k', project: 'p' });
});
afterAll(() => stub.close());

/** Stream of activity that is cut after its entries. */
function activity(...entries: object[]): StubAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = entries.map((entry) => `event: activity\ndata: ${JSON.stringify({ log: [], ...entry })}\n\n`).join('');
    response.write(text, () => response.destroy());
  };
}

describe('pulling a model', () => {
  it('installs, downloads and starts what is missing, and tells how far it is, also over a cut', async () => {
    stub.answer(
      { json: MODEL },
      { status: 202, json: engine('queued') },
      { status: 202, json: download('queued', 0) },
      activity({ kind: 'engine', ...engine('installing') }, { kind: 'download', ...download('running', 40) }),
      activity(
        { kind: 'engine', ...engine('ready') },
        { kind: 'download', ...download('failed', 9), generation: 1 },
        { kind: 'download', ...download('completed', 100) },
      ),
      { status: 202, json: service('starting') },
      activity({ kind: 'service', ...service('ready') }),
    );
    const told: PullProgress[] = [];
    const pulled = await clew.models.pull('m', { onProgress: (progress) => told.push(progress) });
    expect(pulled).toEqual({ modelId: 'm', profileId: 'q8', model: 'self/m' });
    expect(told.map(({ step, state, bytesDone }) => [step, state, bytesDone])).toEqual([
      ['engine', 'queued', null],
      ['download', 'queued', 0],
      ['engine', 'installing', null],
      ['download', 'running', 40],
      ['engine', 'ready', null],
      ['download', 'completed', 100],
      ['service', 'starting', null],
      ['service', 'ready', null],
    ]);
  });

  it('that is there already asks for nothing more', async () => {
    stub.answer(
      { json: MODEL },
      { json: engine('ready') },
      { json: download('completed', 100) },
      { json: service('ready') },
    );
    expect(await clew.models.pull('m')).toMatchObject({ model: 'self/m' });
    expect(stub.seen).toHaveLength(4);
    stub.answer({ json: MODEL }, { json: engine('ready') }, { json: download('completed', 100) });
    expect(await clew.models.pull('m', { start: false })).toMatchObject({ model: null });
  });

  it('says which step failed, and why', async () => {
    const problem = { code: 'INSUFFICIENT_MEMORY', message: 'needs 4 GiB' };
    const failed = activity({ kind: 'service', ...service('failed', problem) });
    stub.answer(
      { json: MODEL },
      { json: engine('ready') },
      { json: download('completed', 100) },
      { status: 202, json: service('starting') },
      failed,
    );
    const error: unknown = await clew.models.pull('m').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PullError);
    expect(error).toMatchObject({ step: 'service', code: 'INSUFFICIENT_MEMORY' });
    stub.answer({ json: MODEL });
    await expect(clew.models.pull('m', { profileId: 'none' })).rejects.toThrow('m has no profile none: q8');
  });
});
