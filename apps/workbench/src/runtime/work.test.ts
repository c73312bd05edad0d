import { expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { modelWork, workText } from './work.ts';

const AT = { profileId: 'q4', generation: 1, error: null, createdAt: 1, updatedAt: 1 };
const download = (
  modelId: string,
  state: Api.ModelDownload['state'],
  bytesDone: number,
  bytesTotal: number | null,
) => ({
  ...AT,
  ...{ modelId, state, bytesDone, bytesTotal },
});
const runtime = (members: object) =>
  ({ engines: [], downloads: [], services: [], ...members }) as unknown as Api.RuntimeSnapshot;

it('is what is installed, fetched and started, not what is done', () => {
  const work = modelWork(
    runtime({
      engines: [
        { engine: 'llama.cpp', state: 'installing' },
        { engine: 'vllm', state: 'ready' },
      ],
      downloads: [download('a', 'running', 42, 100), download('b', 'completed', 1, 1), download('c', 'failed', 1, 9)],
      services: [
        { ...AT, modelId: 'd', state: 'starting' },
        { ...AT, modelId: 'e', state: 'ready' },
      ],
    }),
  );
  expect(work.map(({ text, share }) => [text, share])).toEqual([
    ['llama.cpp is installed', undefined],
    ['42 B of 100 B', 0.42],
    ['starts', undefined],
  ]);
  expect(workText(work, 'en')).toBe('42%');
});

it('says nothing without work, and that it goes on where nobody knows how far it is', () => {
  expect(workText([])).toBeUndefined();
  expect(workText(modelWork(runtime({ downloads: [download('a', 'queued', 0, null)] })))).toBe('…');
});
