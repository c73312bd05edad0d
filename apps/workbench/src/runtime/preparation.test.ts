import { describe, expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { actOf, bytes, fitOf, isBusy, preparationOf } from './preparation.ts';
import { modelOptions } from '../models/model-options.ts';
import { parseWanted, withWanted } from './wanted.ts';

const PROFILE = { id: 'q4', modelId: 'm', engine: 'llama.cpp' } as const;
const AT = { modelId: 'm', profileId: 'q4', generation: 1, error: null, createdAt: 1, updatedAt: 1 };

function runtime({
  engine = 'not_installed',
  download = '',
  done = 0,
  service = '',
  error = null as Api.RuntimeProblem | null,
}) {
  return {
    node: { id: 'n', status: 'online', lastSeenAt: 1, memory: null, disk: null, gpus: [] },
    engines: [
      { engine: 'llama.cpp', state: engine, generation: 1, version: '1', message: null, error: null, updatedAt: 1 },
    ],
    downloads: download === '' ? [] : [{ ...AT, state: download, bytesDone: done, bytesTotal: 100 }],
    services:
      service === '' ? [] : [{ ...AT, engine: 'llama.cpp', model: 'self/m', state: service, stopReason: null, error }],
  } as unknown as Api.RuntimeSnapshot;
}

describe('the preparation of a model', () => {
  it('begins with engine and download, which go on side by side', () => {
    expect(preparationOf(PROFILE, runtime({}))).toMatchObject({ share: 0, next: ['engine', 'download'] });
    const begun = preparationOf(PROFILE, runtime({ engine: 'installing', download: 'running', done: 40 }));
    expect(begun).toMatchObject({ isWorking: true, next: [] });
    expect(begun.share).toBeCloseTo(0.34);
  });

  it('starts the service once both are there', () => {
    const there = { engine: 'ready', download: 'completed', done: 100 };
    expect(preparationOf(PROFILE, runtime(there)).next).toEqual(['service']);
    expect(preparationOf(PROFILE, runtime({ ...there, service: 'starting' })).next).toEqual([]);
    expect(preparationOf(PROFILE, runtime({ ...there, service: 'ready' }))).toMatchObject({ share: 1, isReady: true });
    expect(preparationOf(PROFILE, runtime({ ...there, service: 'stopped' })).next).toEqual(['service']);
  });

  it('asks again for what failed, and says what failed', () => {
    const problem = { code: 'INSUFFICIENT_MEMORY', message: 'needs 4 GiB' };
    const failed = preparationOf(
      PROFILE,
      runtime({ engine: 'ready', download: 'completed', done: 100, service: 'failed', error: problem }),
    );
    expect(failed.failed).toMatchObject({ id: 'service', problem });
    expect(failed.next).toEqual(['service']);
    expect(actOf(problem.code)).toBe('free-memory');
    expect(preparationOf(PROFILE, runtime({ engine: 'ready', download: 'cancelled' })).next).toEqual(['download']);
  });

  it('never shows a download as done before it is checked', () => {
    const checked = preparationOf(PROFILE, runtime({ engine: 'ready', download: 'verifying', done: 100 }));
    expect(checked.steps[1]).toMatchObject({ state: 'working', share: 0.99 });
    expect(isBusy(runtime({ download: 'verifying' }))).toBe(true);
    expect(isBusy(runtime({ download: 'completed' }))).toBe(false);
  });
});

it('says whether a profile fits the node', () => {
  const node = { memory: { totalBytes: 8e9, availableBytes: 2e9 }, disk: { totalBytes: 9e9, freeBytes: 1e9 } };
  const file = (sizeBytes: number | null) => ({ files: [{ sizeBytes }] as Api.ArtifactFile[] });
  expect(fitOf({ memoryEstimateBytes: 1e9, ...file(5e8) }, node)).toEqual({ fits: true, text: 'Fits' });
  expect(fitOf({ memoryEstimateBytes: 3e9, ...file(5e8) }, node).text).toBe('Needs 3 GB of memory, 2 GB are free');
  expect(fitOf({ memoryEstimateBytes: 1e9, ...file(2e9) }, node).text).toBe('Needs 2 GB of disk, 1 GB are free');
  expect(fitOf({ memoryEstimateBytes: null, ...file(null) }, node)).toEqual({ fits: true, text: 'Not known' });
});

it('writes sizes as people read them', () => {
  expect([0, 999, 98_362_432, 4_700_000_000].map(bytes)).toEqual(['0 B', '999 B', '98 MB', '4.7 GB']);
});

it('keeps what is wanted for a day', () => {
  const key = { projectId: 'p', modelId: 'm', profileId: 'q4' };
  const kept = withWanted([], key, 1_000);
  expect(parseWanted(JSON.stringify(kept), 2_000)).toEqual(kept);
  expect(parseWanted(JSON.stringify(kept), 1e9)).toEqual([]);
  expect(parseWanted('{"broken', 0)).toEqual([]);
  expect(parseWanted('[1, {"projectId": 2}]', 0)).toEqual([]);
  expect(withWanted(kept, key, undefined)).toEqual([]);
});

it('offers the best model, the local ones, the chosen one and another', () => {
  const services = [{ model: 'self/a', state: 'ready' } as const, { model: 'self/b', state: 'stopped' } as const];
  expect(modelOptions(services, 'openai/x').map(({ id }) => id)).toEqual([
    ...['service/auto', 'self/a', 'self/b', 'openai/x', 'other'],
  ]);
  expect(modelOptions(services, 'self/a')[2]).toEqual({ id: 'self/b', label: 'self/b (stopped)' });
});
