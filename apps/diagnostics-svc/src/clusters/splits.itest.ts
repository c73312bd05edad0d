import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findingChanged, type Finding, type FindingActivity } from '@clew/contracts';
import { newId, sha256Hex } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { findingIdOf } from '../findings/occurrence.ts';
import { detectionOf, resultOf } from '../test-support/results.ts';
import { startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

async function show(projectId: string, conversationId: string, signals: string[], revision = 1) {
  service.clock.advance(1_000);
  const detection = detectionOf('loop', { signals, summary: `in ${conversationId}` });
  await service.take(resultOf({ projectId, conversationId, snapshot: { revision }, found: { rule_a: [detection] } }));
}

/** Finding with two conversations in which a first signal fired, and two with a second one. */
async function newFinding(): Promise<{ projectId: string; id: string }> {
  const projectId = newId('prj');
  for (const name of ['a', 'b']) await show(projectId, name, ['slow']);
  for (const name of ['c', 'd']) await show(projectId, name, ['stuck']);
  return { projectId, id: findingIdOf(projectId, detectionOf('loop').clusterFingerprint) };
}

function split(projectId: string, id: string, body: unknown, headers: Record<string, string> = {}) {
  const path = `/findings/${id}/split`;
  return service.call<Finding & { code: string }>({ projectId, method: 'POST', path, body, headers });
}

async function read(projectId: string, id: string): Promise<Finding> {
  return (await service.call<Finding>({ projectId, path: `/findings/${id}` })).body;
}

function conversationsOf({ evidenceWindow }: Finding): string[] {
  return evidenceWindow.conversationIds.toSorted();
}

describe('a split', () => {
  it('gives named conversations a Finding of their own, which says where it is from', async () => {
    const { projectId, id } = await newFinding();
    const { status, headers, body: child } = await split(projectId, id, { conversationIds: ['a', 'c'] });
    expect(status).toBe(201);
    expect((await service.call({ projectId, path: `/${headers.get('location')}` })).body).toEqual(child);
    expect(child).toMatchObject({ splitFrom: id, occurrenceCount: 2, summary: 'in a', reviewStatus: 'unreviewed' });
    expect(conversationsOf(child)).toEqual(['a', 'c']);
    const parent = await read(projectId, id);
    expect(parent).toMatchObject({ occurrenceCount: 2, summary: 'in b' });
    expect(parent.splits).toEqual([{ findingId: child.id, conversationIds: ['a', 'c'] }]);
    expect(conversationsOf(parent)).toEqual(['b', 'd']);
  });

  it('is followed by what is found later in the named conversations, and by nothing else', async () => {
    const { projectId, id } = await newFinding();
    const { body: child } = await split(projectId, id, { conversationIds: ['a'] });
    await show(projectId, 'a', ['slow'], 2);
    await show(projectId, 'e', ['slow']);
    expect(await read(projectId, child.id)).toMatchObject({
      occurrenceCount: 1,
      lastDetectedAt: service.clock.now() - 1_000,
    });
    expect(await read(projectId, id)).toMatchObject({ occurrenceCount: 4 });
  });

  it('by a signal takes the conversations in which it fired, and those in which it will', async () => {
    const { projectId, id } = await newFinding();
    const { body: child } = await split(projectId, id, { signal: 'stuck' });
    expect(conversationsOf(child)).toEqual(['c', 'd']);
    await show(projectId, 'e', ['slow', 'stuck']);
    await show(projectId, 'c', ['slow'], 2);
    expect(conversationsOf(await read(projectId, child.id))).toEqual(['d', 'e']);
    expect(conversationsOf(await read(projectId, id))).toEqual(['a', 'b', 'c']);
  });

  it('is undone by merging it back, and the conversations to come count there again', async () => {
    const { projectId, id } = await newFinding();
    const before = await read(projectId, id);
    const { body: child } = await split(projectId, id, { signal: 'stuck' });
    await service.call({ projectId, method: 'POST', path: `/findings/${child.id}/merge`, body: { into: id } });
    const {
      updatedAt: _,
      splits: _splits,
      mergedFindingIds: _ids,
      evidenceWindow,
      ...after
    } = await read(projectId, id);
    const { evidenceWindow: window, ...expected } = before;
    expect(expected).toMatchObject(after);
    expect([evidenceWindow.startMs, evidenceWindow.endMs]).toEqual([window.startMs, window.endMs]);
    expect(evidenceWindow.conversationIds.toSorted()).toEqual(window.conversationIds.toSorted());
    await show(projectId, 'e', ['stuck']);
    expect(await read(projectId, id)).toMatchObject({ occurrenceCount: 5 });
  });

  it('tells who did it, in the activity of both and in what is told of Findings', async () => {
    const { projectId, id } = await newFinding();
    const { body: child } = await split(projectId, id, { signal: 'stuck' });
    for (const each of [id, child.id]) {
      const { body } = await service.call<{ activity: FindingActivity[] }>({
        projectId,
        path: `/findings/${each}/activity`,
      });
      expect(body.activity).toMatchObject([
        { kind: 'split', from: id, to: child.id, text: '{"signal":"stuck"}', actor: { kind: 'key' } },
      ]);
    }
    const event = (await emittedMessages(service.database, findingChanged, projectId)).at(-1);
    expect(event?.data).toMatchObject({ actor: { kind: 'key' }, findings: [{ findingId: child.id, splitFrom: id }] });
  });

  it('is made once for an Idempotency-Key', async () => {
    const { projectId, id } = await newFinding();
    const headers = { 'idempotency-key': 'once' };
    const first = await split(projectId, id, { signal: 'stuck' }, headers);
    const second = await split(projectId, id, { signal: 'stuck' }, headers);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
  });

  it.each([
    ['neither conversations nor a signal', {}, 400],
    ['both', { conversationIds: ['a'], signal: 'stuck' }, 400],
    ['no conversation', { conversationIds: [] }, 400],
    ['a conversation twice', { conversationIds: ['a', 'a'] }, 400],
    ['a conversation that does not show it', { conversationIds: ['a', 'z'] }, 409],
    ['a signal that never fired', { signal: 'gone' }, 409],
  ])('with %s is refused, and changes nothing', async (_name, body, status) => {
    const { projectId, id } = await newFinding();
    const before = await read(projectId, id);
    expect((await split(projectId, id, body)).status).toBe(status);
    expect(await read(projectId, id)).toEqual(before);
  });

  it('is refused of what was split off, of the same once more, and with an old If-Match', async () => {
    const { projectId, id } = await newFinding();
    const etag = (await service.call({ projectId, path: `/findings/${id}` })).headers.get('etag')!;
    const { body: child } = await split(projectId, id, { signal: 'stuck' });
    expect((await split(projectId, child.id, { conversationIds: ['c'] })).body.code).toBe('CONFLICT');
    expect((await split(projectId, id, { signal: 'stuck' })).body.code).toBe('CONFLICT');
    const late = await split(projectId, id, { conversationIds: ['a'] }, { 'if-match': etag });
    expect(late).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
  });

  it('loses no conversation that is found in the same moment', async () => {
    const { projectId, id } = await newFinding();
    const found = Array.from({ length: 6 }, (_, index) => {
      const detection = detectionOf('loop', { signals: [index % 2 === 0 ? 'slow' : 'stuck'] });
      return service.take(resultOf({ projectId, conversationId: `new ${index}`, found: { rule_a: [detection] } }));
    });
    const [{ body: child }] = await Promise.all([split(projectId, id, { signal: 'stuck' }), ...found]);
    expect(await read(projectId, id)).toMatchObject({ occurrenceCount: 5 });
    expect(await read(projectId, child.id)).toMatchObject({ occurrenceCount: 5 });
  });
});

describe('a detection that names a former fingerprint', () => {
  const former = sha256Hex('loop');
  const renamed = (cluster: string) =>
    detectionOf('loop', {
      ...{ clusterFingerprint: sha256Hex(cluster), fingerprintVersion: 'finding-cluster-v2' },
      formerFingerprints: [former],
    });

  it('belongs to the Finding that has it, which keeps its id and all that people said of it', async () => {
    const { projectId, id } = await newFinding();
    const body = { reviewStatus: 'confirmed' };
    await service.call({ projectId, method: 'PATCH', path: `/findings/${id}`, body });
    const found = { rule_a: [renamed('loop v2')] };
    await service.take(resultOf({ projectId, conversationId: 'a', snapshot: { revision: 2 }, found }));
    await service.take(resultOf({ projectId, conversationId: 'e', found }));
    expect(await read(projectId, id)).toMatchObject({ occurrenceCount: 5, reviewStatus: 'confirmed' });
    const { body: list } = await service.call<{ findings: Finding[] }>({ projectId, path: '/findings' });
    expect(list.findings.map((finding) => finding.id)).toEqual([id]);
  });

  it('counts once where two of them have the same former one', async () => {
    const { projectId, id } = await newFinding();
    const found = { rule_a: [renamed('one half'), renamed('other half')] };
    await service.take(resultOf({ projectId, conversationId: 'e', found }));
    expect(await read(projectId, id)).toMatchObject({ occurrenceCount: 5 });
  });

  it('makes a Finding of its own where none has the former one', async () => {
    const projectId = newId('prj');
    await service.take(resultOf({ projectId, conversationId: 'e', found: { rule_a: [renamed('new')] } }));
    expect(await read(projectId, findingIdOf(projectId, sha256Hex('new')))).toMatchObject({ occurrenceCount: 1 });
  });
});
