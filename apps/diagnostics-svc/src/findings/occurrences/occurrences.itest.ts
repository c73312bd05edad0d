import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FindingOccurrence } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { detectionOf, resultOf, STARTED_AT } from '../../test-support/results.ts';
import { startTestService, type TestService } from '../../test-support/service.ts';
import { findingIdOf } from '../occurrence.ts';

interface Page {
  occurrences: FindingOccurrence[];
  nextCursor: string | null;
}

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

async function findingOf(conversations: number): Promise<{ projectId: string; path: string }> {
  const projectId = newId('prj');
  for (let index = 0; index < conversations; index += 1) {
    service.clock.advance(1_000);
    const startedAt = STARTED_AT + index * 1_000;
    const own = detectionOf('loop', { diagnosticScore: index / 10, severity: index === 0 ? 'high' : 'low' });
    await service.take(
      resultOf({ projectId, conversationId: `chat ${index}`, snapshot: { startedAt }, found: { rule_a: [own] } }),
    );
  }
  return { projectId, path: `/findings/${findingIdOf(projectId, detectionOf('loop').clusterFingerprint)}` };
}

describe('the occurrences of a Finding', () => {
  it('are its conversations, the last found first, each with its own anchor, severity and score', async () => {
    const { projectId, path } = await findingOf(3);
    const { status, body } = await service.call<Page>({ projectId, path: `${path}/occurrences` });
    expect(status).toBe(200);
    expect(body.nextCursor).toBeNull();
    expect(body.occurrences).toMatchObject([
      { conversationId: 'chat 2', severity: 'low', diagnosticScore: 0.2, conversationStartedAt: STARTED_AT + 2_000 },
      { conversationId: 'chat 1', severity: 'low', diagnosticScore: 0.1 },
      { conversationId: 'chat 0', severity: 'high', diagnosticScore: 0 },
    ]);
    expect(body.occurrences[0]?.diagnosticAnchor).toEqual(detectionOf('loop').anchor);
  });

  it('come in pages, each once', async () => {
    const { projectId, path } = await findingOf(5);
    const pageAfter = async (cursor: string | null): Promise<Page> => {
      const query = cursor === null ? '' : `&cursor=${cursor}`;
      return (await service.call<Page>({ projectId, path: `${path}/occurrences?limit=2${query}` })).body;
    };
    const pages = [await pageAfter(null)];
    for (let next = pages[0]?.nextCursor; typeof next === 'string'; next = pages.at(-1)?.nextCursor) {
      pages.push(await pageAfter(next));
    }
    const seen = pages.flatMap(({ occurrences }) => occurrences.map(({ conversationId }) => conversationId));
    expect(seen).toEqual([4, 3, 2, 1, 0].map((index) => `chat ${index}`));
  });

  it('are counted by the time at which the conversations started', async () => {
    const { projectId, path } = await findingOf(5);
    const query = `?startMs=${STARTED_AT}&endMs=${STARTED_AT + 4_000}&intervalMs=2000`;
    const { body } = await service.call({ projectId, path: `${path}/occurrence-counts${query}` });
    expect(body).toEqual({
      counts: [
        { startMs: STARTED_AT, occurrences: 2 },
        { startMs: STARTED_AT + 2_000, occurrences: 2 },
      ],
    });
  });

  it.each([
    ['/occurrences?limit=0', 400, 'INVALID_FILTER'],
    ['/occurrences?cursor=abc', 400, 'INVALID_FILTER'],
    ['/occurrence-counts', 400, 'INVALID_FILTER'],
    ['/occurrence-counts?startMs=2&endMs=1&intervalMs=1000', 400, 'INVALID_FILTER'],
    ['/occurrence-counts?startMs=0&endMs=9000000&intervalMs=1000', 400, 'INVALID_FILTER'],
  ])('answer %s with %i %s', async (query, status, code) => {
    const { projectId, path } = await findingOf(1);
    expect(await service.call({ projectId, path: `${path}${query}` })).toMatchObject({ status, body: { code } });
  });

  it.each(['occurrences', 'occurrence-counts?startMs=0&endMs=1&intervalMs=1000', 'activity'])(
    'of a missing Finding are 404 FINDING_NOT_FOUND: %s',
    async (query) => {
      const answer = await service.call({ path: `/findings/fnd_missing/${query}` });
      expect(answer).toMatchObject({ status: 404, body: { code: 'FINDING_NOT_FOUND' } });
    },
  );
});
