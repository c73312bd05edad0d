import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Finding } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { detectionOf, OTHER_PROJECT_ID, PROJECT_ID, resultOf } from '../test-support/results.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { findingModel } from './finding.model.ts';
import { listingRowOf } from './listing/index.ts';
import { findingIdOf } from './occurrence.ts';

interface Page {
  findings: Finding[];
  pagination: { limit: number; nextCursor: string | null };
}
interface ErrorBody {
  error: string;
  message: string;
  code: string;
  details?: { path: string; message: string }[];
  requestId: string;
}

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

/** Makes Findings in a new project, each detected a second after the one before. */
async function projectWith(...clusters: string[]): Promise<{ projectId: string; detectedAt: number[] }> {
  const projectId = newId('prj');
  const detectedAt: number[] = [];
  for (const [index, cluster] of clusters.entries()) {
    service.clock.advance(1_000);
    detectedAt.push(service.clock.now());
    await service.take(resultOf({ projectId, conversationId: `conversation-${index}`, found: { rule_a: [cluster] } }));
  }
  return { projectId, detectedAt };
}

async function set(projectId: string, cluster: string, fields: object): Promise<void> {
  const { clusterFingerprint } = detectionOf(cluster);
  const model = findingModel(service.database.connection);
  const changed = await model
    .findOneAndUpdate({ projectId, clusterFingerprint }, { $set: fields }, { returnDocument: 'after' })
    .lean();
  await model.updateOne({ projectId, clusterFingerprint }, { $set: { listing: listingRowOf(changed!) } });
}

function list(projectId: string, query = '') {
  return service.call<Page>({ projectId, path: `/findings${query}` });
}

async function titles(projectId: string, query = ''): Promise<string[]> {
  const { status, body } = await list(projectId, query);
  expect(status).toBe(200);
  return body.findings.map(({ title }) => title);
}

/** Titles on every page of a walk. */
async function walk(projectId: string, query: string): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body }: { body: Page } = await list(projectId, `${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    pages.push(body.findings.map(({ title }) => title));
    cursor = body.pagination.nextCursor;
  }
  return pages;
}

describe('the list of Findings', () => {
  it('gives whole Findings, the last detected first', async () => {
    const { projectId } = await projectWith('first', 'second');
    const { body } = await list(projectId);
    expect(body.findings.map(({ title }) => title)).toEqual(['second', 'first']);
    expect(body.pagination).toEqual({ limit: 100, nextCursor: null });
    const { adjudicationWaiting: _ofOneAlone, ...listed } = Finding.shape;
    for (const finding of body.findings) expect(Object.keys(finding).sort()).toEqual(Object.keys(listed).sort());
  });

  it('is empty for a project without Findings, and shows nothing of another project', async () => {
    await projectWith('of another project');
    const { status, body } = await list(newId('prj'));
    expect({ status, body }).toEqual({
      status: 200,
      body: { findings: [], pagination: { limit: 100, nextCursor: null } },
    });
  });

  it('filters by review status, resolution status and severity, alone and together', async () => {
    const { projectId } = await projectWith('a', 'b', 'c');
    await set(projectId, 'a', { reviewStatus: 'confirmed', resolutionStatus: 'resolved', severity: 'low' });
    await set(projectId, 'b', { reviewStatus: 'confirmed', resolutionStatus: 'regressed', severity: 'low' });
    expect(await titles(projectId, '?reviewStatus=confirmed')).toEqual(['b', 'a']);
    expect(await titles(projectId, '?reviewStatus=unreviewed')).toEqual(['c']);
    expect(await titles(projectId, '?resolutionStatus=regressed')).toEqual(['b']);
    expect(await titles(projectId, '?severity=low')).toEqual(['b', 'a']);
    expect(await titles(projectId, '?severity=low&reviewStatus=confirmed&resolutionStatus=resolved')).toEqual(['a']);
    expect(await titles(projectId, '?severity=critical&reviewStatus=confirmed')).toEqual([]);
  });

  it.each(['unreviewed', 'confirmed', 'dismissed'])('takes the review status %s', async (value) => {
    const { projectId } = await projectWith('a');
    await set(projectId, 'a', { reviewStatus: value });
    expect(await titles(projectId, `?reviewStatus=${value}`)).toEqual(['a']);
  });

  it.each(['unresolved', 'awaiting_verification', 'resolved', 'regressed'])(
    'takes the resolution status %s',
    async (value) => {
      const { projectId } = await projectWith('a');
      await set(projectId, 'a', { resolutionStatus: value });
      expect(await titles(projectId, `?resolutionStatus=${value}`)).toEqual(['a']);
    },
  );

  it.each(['critical', 'high', 'medium', 'low', 'info'])('takes the severity %s', async (value) => {
    const { projectId } = await projectWith('a');
    await set(projectId, 'a', { severity: value });
    expect(await titles(projectId, `?severity=${value}`)).toEqual(['a']);
  });

  it('takes the lowest score itself, and the bounds 0 and 1', async () => {
    const { projectId } = await projectWith('a', 'b');
    await set(projectId, 'a', { diagnosticScore: 0.5 });
    await set(projectId, 'b', { diagnosticScore: 1 });
    expect(await titles(projectId, '?minDiagnosticScore=0.5')).toEqual(['b', 'a']);
    expect(await titles(projectId, '?minDiagnosticScore=0.51')).toEqual(['b']);
    expect(await titles(projectId, '?minDiagnosticScore=0')).toEqual(['b', 'a']);
    expect(await titles(projectId, '?minDiagnosticScore=1')).toEqual(['b']);
  });

  it('takes lastDetectedAfter itself and not lastDetectedBefore', async () => {
    const { projectId, detectedAt } = await projectWith('a', 'b', 'c');
    const [a, b, c] = detectedAt as [number, number, number];
    expect(await titles(projectId, `?lastDetectedAfter=${b}`)).toEqual(['c', 'b']);
    expect(await titles(projectId, `?lastDetectedBefore=${b}`)).toEqual(['a']);
    expect(await titles(projectId, `?lastDetectedAfter=${a}&lastDetectedBefore=${c}`)).toEqual(['b', 'a']);
    expect(await titles(projectId, `?lastDetectedAfter=${b}&lastDetectedBefore=${b + 1}`)).toEqual(['b']);
  });

  it('walks through every Finding once, also where many were detected in the same moment', async () => {
    const projectId = newId('prj');
    const clusters = Array.from({ length: 7 }, (_, index) => `cluster ${index}`);
    await service.take(resultOf({ projectId, found: { rule_a: clusters } }));
    const pages = await walk(projectId, '?limit=2&severity=high&minDiagnosticScore=0.1');
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 2, 1]);
    expect(pages.flat().toSorted()).toEqual(clusters);
  });

  it('has no further page where the limit is met exactly, and may change the limit on the way', async () => {
    const { projectId } = await projectWith('a', 'b', 'c');
    expect((await list(projectId, '?limit=3')).body.pagination).toEqual({ limit: 3, nextCursor: null });
    const { body } = await list(projectId, '?limit=1');
    expect(await titles(projectId, `?limit=500&cursor=${body.pagination.nextCursor}`)).toEqual(['b', 'a']);
  });

  it('goes on behind the last Finding seen when another one is detected during the walk', async () => {
    const { projectId } = await projectWith('a', 'b', 'c');
    const { body } = await list(projectId, '?limit=1');
    service.clock.advance(1_000);
    await service.take(resultOf({ projectId, conversationId: 'later', found: { rule_a: ['a'] } }));
    expect(await titles(projectId, `?cursor=${body.pagination.nextCursor}`)).toEqual(['b']);
    expect(await titles(projectId)).toEqual(['a', 'c', 'b']);
  });
});

describe('a refused list of Findings', () => {
  async function refusal(query: string, projectId = PROJECT_ID): Promise<ErrorBody> {
    const { status, body } = await service.call<ErrorBody>({ projectId, path: `/findings${query}` });
    expect(status).toBe(400);
    return body;
  }

  it.each([
    ['an unsupported review status', '?reviewStatus=open', 'query.reviewStatus'],
    ['an unsupported resolution status', '?resolutionStatus=Resolved', 'query.resolutionStatus'],
    ['an unsupported severity', '?severity=HIGH', 'query.severity'],
    ['an empty value', '?severity=', 'query.severity'],
    ['a score above 1', '?minDiagnosticScore=1.1', 'query.minDiagnosticScore'],
    ['a negative score', '?minDiagnosticScore=-0.1', 'query.minDiagnosticScore'],
    ['a score that is no number', '?minDiagnosticScore=high', 'query.minDiagnosticScore'],
    ['a time that is no integer', '?lastDetectedAfter=1.5', 'query.lastDetectedAfter'],
    ['a time that is no number', '?lastDetectedBefore=yesterday', 'query.lastDetectedBefore'],
    ['a negative time', '?lastDetectedBefore=-1', 'query.lastDetectedBefore'],
    ['a time beyond all dates', '?lastDetectedBefore=9999999999999999', 'query.lastDetectedBefore'],
    ['bounds in the wrong order', '?lastDetectedAfter=2&lastDetectedBefore=1', 'query.lastDetectedAfter'],
    ['bounds that are equal', '?lastDetectedAfter=1&lastDetectedBefore=1', 'query.lastDetectedAfter'],
    ['a limit of 0', '?limit=0', 'query.limit'],
    ['a limit of 501', '?limit=501', 'query.limit'],
    ['a negative limit', '?limit=-1', 'query.limit'],
    ['a limit that is no integer', '?limit=1.5', 'query.limit'],
    ['an empty limit', '?limit=', 'query.limit'],
    ['an unknown parameter', '?projectId=x', 'query'],
    ['a parameter given twice', '?severity=high&severity=low', 'query.severity'],
    ['a parameter given twice as a list', '?severity[]=high', 'query'],
    ['a cursor that was never issued', '?cursor=abcdef', 'query.cursor'],
    ['an empty cursor', '?cursor=', 'query.cursor'],
    ['a cursor that is too long', `?cursor=${'a'.repeat(3_000)}`, 'query.cursor'],
  ])('names %s with INVALID_FILTER', async (_name, query, path) => {
    expect(await refusal(query)).toEqual({
      error: 'Bad Request',
      code: 'INVALID_FILTER',
      message: expect.any(String),
      details: expect.arrayContaining([{ path, message: expect.any(String) }]),
      requestId: expect.stringMatching(/^req_/),
    });
  });

  it('does not take a cursor for other filters, for another project, or with a changed byte', async () => {
    const { projectId } = await projectWith('a', 'b');
    const { projectId: other } = await projectWith('c', 'd');
    const { body } = await list(projectId, '?limit=1&severity=high');
    const cursor = body.pagination.nextCursor!;
    const changed = `${cursor.slice(0, -2)}${cursor.at(-2) === 'A' ? 'B' : 'A'}${cursor.at(-1)}`;
    expect(await refusal(`?severity=low&cursor=${cursor}`, projectId)).toMatchObject({ code: 'INVALID_FILTER' });
    expect(await refusal(`?cursor=${cursor}`, projectId)).toMatchObject({ code: 'INVALID_FILTER' });
    expect(await refusal(`?severity=high&cursor=${cursor}`, other)).toMatchObject({ code: 'INVALID_FILTER' });
    expect(await refusal(`?severity=high&cursor=${changed}`, projectId)).toMatchObject({ code: 'INVALID_FILTER' });
    expect(await titles(projectId, `?severity=high&cursor=${cursor}`)).toEqual(['a']);
  });
});

describe('reading one Finding', () => {
  function idOf(projectId: string, cluster: string): string {
    return findingIdOf(projectId, detectionOf(cluster).clusterFingerprint);
  }

  function read<Body = Finding>(projectId: string, findingId: string) {
    return service.call<Body>({ projectId, path: `/findings/${findingId}` });
  }

  it('gives what the list gives', async () => {
    const { projectId } = await projectWith('a');
    const { status, body } = await read(projectId, idOf(projectId, 'a'));
    expect({ status, body }).toEqual({ status: 200, body: (await list(projectId)).body.findings[0] });
    expect(body.id).toMatch(/^fnd_[0-9A-Z]{26}$/);
  });

  it('says where the problem is, since when, and that no work item exists', async () => {
    const { projectId, detectedAt } = await projectWith('a');
    const { body } = await read(projectId, idOf(projectId, 'a'));
    const { anchor, clusterFingerprint } = detectionOf('a');
    expect(body).toMatchObject({
      projectId,
      clusterFingerprint,
      fingerprintVersion: 'finding-cluster-v1',
      reviewStatus: 'unreviewed',
      resolutionStatus: 'unresolved',
      metadata: { categoryKey: 'tools', diagnosticRule: { ruleId: 'rule_a', ruleKey: 'a' } },
      occurrenceCount: 1,
      firstDetectedAt: detectedAt[0],
      lastDetectedAt: detectedAt[0],
      conversationId: 'conversation-0',
      diagnosticAnchor: { ...anchor, conversationId: 'conversation-0' },
      evidenceWindow: { conversationIds: ['conversation-0'] },
      analysisRevision: expect.stringMatching(/^drv_[0-9A-Z]{26}$/),
      evidenceSnapshotRevision: expect.stringMatching(/^cesr_[0-9A-Z]{26}$/),
      ...{ reviewedAt: null, resolvedAt: null, regressedAt: null, workItem: null },
    });
    expect(body.evidenceThroughMs).toBe(body.evidenceWindow.endMs);
  });

  it('answers 404 with the same body for a missing, a malformed and another project’s id', async () => {
    const { projectId } = await projectWith('a');
    const { projectId: other } = await projectWith('b');
    const ids = [
      idOf(projectId, 'missing'),
      idOf(other, 'b'),
      'fnd_1',
      'x',
      '%00',
      '%F0%9F%92%A9',
      '$ne',
      'a'.repeat(5_000),
    ];
    for (const id of ids) {
      const { status, body } = await read<ErrorBody>(projectId, id);
      const { requestId, ...rest } = body;
      expect({ id, status, rest, requestId }).toEqual({
        id,
        status: 404,
        rest: { error: 'Not Found', code: 'FINDING_NOT_FOUND', message: 'The Finding does not exist' },
        requestId: expect.stringMatching(/^req_/),
      });
    }
  });

  it('still reads a Finding that no conversation shows any more, which has left the list, until one shows it again', async () => {
    const { projectId, detectedAt } = await projectWith('a');
    const id = idOf(projectId, 'a');
    const conversationId = 'conversation-0';
    await service.take(resultOf({ projectId, conversationId, snapshot: { revision: 2 }, found: { rule_a: [] } }));
    expect(await read(projectId, id)).toMatchObject({ status: 200, body: { occurrenceCount: 0, conversationId } });
    expect(await titles(projectId)).toEqual([]);
    service.clock.advance(1_000);
    await service.take(resultOf({ projectId, conversationId: 'another', found: { rule_a: ['a'] } }));
    expect(await read(projectId, id)).toMatchObject({
      status: 200,
      body: { occurrenceCount: 1, firstDetectedAt: detectedAt[0], lastDetectedAt: service.clock.now() },
    });
    expect(await titles(projectId)).toEqual(['a']);
  });

  it('still shows a Finding that no conversation shows any more where a person has reviewed it', async () => {
    const { projectId } = await projectWith('a');
    await set(projectId, 'a', { reviewStatus: 'confirmed', reviewedAt: service.clock.now() });
    const conversationId = 'conversation-0';
    await service.take(resultOf({ projectId, conversationId, snapshot: { revision: 2 }, found: { rule_a: [] } }));
    expect(await read(projectId, idOf(projectId, 'a'))).toMatchObject({
      status: 200,
      body: { occurrenceCount: 0, conversationId, reviewStatus: 'confirmed' },
    });
    expect(await titles(projectId, '?reviewStatus=confirmed')).toEqual(['a']);
  });

  it('shows nothing of a project that the caller’s identity does not open', async () => {
    const { projectId } = await projectWith('a');
    const path = `/findings/${idOf(projectId, 'a')}`;
    const { status } = await service.call({ projectId, path, identityProject: OTHER_PROJECT_ID });
    expect(status).toBe(404);
  });
});
