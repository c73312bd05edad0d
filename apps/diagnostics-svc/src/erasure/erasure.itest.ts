import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import { nativeDb } from '@clew/persistence';
import { storedText, useTestEnvironment } from '@clew/testing';
import { detectionOf, resultOf } from '../test-support/results.ts';
import { startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const SERVICE = { kind: 'service', id: 'telemetry-warehouse' } as const;

async function erase(projectId: string, conversationId = 'gone') {
  const path = `//internal/v1/projects/${projectId}/conversations/${conversationId}/findings`;
  const { status, body } = await service.call<{ removed: Record<string, number>; done: boolean }>({
    ...{ method: 'DELETE', path, projectId, principal: SERVICE },
  });
  expect(status).toBe(200);
  return body;
}

async function wordsOf(projectId: string): Promise<string[]> {
  const texts = await storedText(nativeDb(service.database.connection));
  return [...texts].filter(([, text]) => text.includes(`zebra ${projectId}`)).map(([name]) => name);
}

/** Detection of a cluster whose text quotes one conversation. */
function saidIn(projectId: string, cluster: string, severity: 'high' | 'low' = 'high') {
  const quote = `zebra ${projectId}`;
  const location = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), stepIndex: 1, quotes: [{ quote }] };
  const evidence = [{ ref: 'ev_1', kind: 'message', title: quote, summary: quote, url: null, location }] as const;
  return detectionOf(cluster, { severity, title: quote, summary: quote, anchor: location, evidence: [...evidence] });
}

interface FindingList {
  findings: { id: string; title: string; occurrenceCount: number }[];
}

const findings = async (projectId: string) =>
  (await service.call<FindingList>({ projectId, path: '/findings' })).body.findings;

it('takes what was found in a conversation, and leaves what others show, described by them', async () => {
  const projectId = newId('prj');
  await service.take(
    resultOf({
      projectId,
      conversationId: 'gone',
      found: { rule_a: [saidIn(projectId, 'alone'), saidIn(projectId, 'both')] },
    }),
    resultOf({ projectId, conversationId: 'kept', found: { rule_a: [detectionOf('both', { severity: 'low' })] } }),
  );
  const [one] = (await findings(projectId)).filter(({ occurrenceCount }) => occurrenceCount === 1);
  const comment = { text: `somebody said zebra ${projectId}` };
  const path = `/findings/${one!.id}`;
  expect((await service.call({ method: 'POST', projectId, path: `${path}/comments`, body: comment })).status).toBe(201);
  expect(await wordsOf(projectId)).toEqual(expect.arrayContaining(['findings', 'occurrences', 'finding_activities']));

  expect(await erase(projectId)).toMatchObject({ removed: { occurrences: 2, findings: 1 }, done: true });
  expect(await wordsOf(projectId)).toEqual([]);
  expect(await findings(projectId)).toMatchObject([{ title: 'both', occurrenceCount: 1 }]);
  expect((await service.call({ projectId, path })).status).toBe(404);
  expect(await erase(projectId)).toMatchObject({ removed: { occurrences: 0, findings: 0 }, done: true });
});

it('takes Findings that a conversation showed once, and nobody shows any more', async () => {
  const projectId = newId('prj');
  const later = { snapshotId: 'cesr_later', revision: 2 };
  await service.take(resultOf({ projectId, conversationId: 'gone', found: { rule_a: [saidIn(projectId, 'former')] } }));
  await service.take(resultOf({ projectId, conversationId: 'gone', snapshot: later, found: { rule_a: [] } }));
  expect(await wordsOf(projectId)).toContain('findings');
  expect(await erase(projectId)).toMatchObject({ removed: { findings: 1 }, done: true });
  expect(await wordsOf(projectId)).toEqual([]);
});

it('refuses what a worker says of it afterwards, and takes the rest of the message', async () => {
  const projectId = newId('prj');
  await erase(projectId);
  await service.take(
    resultOf({ projectId, conversationId: 'gone', found: { rule_a: [saidIn(projectId, 'late')] } }),
    resultOf({ projectId, conversationId: 'kept', found: { rule_a: [detectionOf('other')] } }),
  );
  expect(await wordsOf(projectId)).toEqual([]);
  expect(await findings(projectId)).toMatchObject([{ title: 'other' }]);
});

it('is not there for callers', async () => {
  const projectId = newId('prj');
  const path = `//internal/v1/projects/${projectId}/conversations/gone/findings`;
  expect((await service.call({ method: 'DELETE', projectId, path })).status).toBe(404);
});
