import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  conversationFindingsChanged,
  findingChanged,
  type ConversationDiagnosis,
  type Finding,
  type FindingActivity,
  type FindingOccurrence,
} from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';
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

interface World {
  projectId: string;
  /** Finding id of a cluster. */
  idOf: (cluster: string) => string;
}

/** Project whose conversations show these clusters, each detected in a second of its own. */
async function newWorld(shown: Readonly<Record<string, readonly string[]>>): Promise<World> {
  const projectId = newId('prj');
  for (const [conversationId, clusters] of Object.entries(shown)) await show(projectId, conversationId, clusters);
  return { projectId, idOf: (cluster) => findingIdOf(projectId, detectionOf(cluster).clusterFingerprint) };
}

async function show(projectId: string, conversationId: string, clusters: readonly string[], revision = 1) {
  service.clock.advance(1_000);
  const severity = conversationId === 'grave' ? 'critical' : 'high';
  const detections = clusters.map((cluster) => detectionOf(cluster, { severity, summary: `in ${conversationId}` }));
  await service.take(resultOf({ projectId, conversationId, snapshot: { revision }, found: { rule_a: detections } }));
}

function post<Body = Finding & { code: string }>(
  { projectId }: World,
  id: string,
  action: string,
  body: unknown,
  headers = {},
) {
  const call = { projectId, method: 'POST' as const, path: `/findings/${id}/${action}`, headers };
  return service.call<Body>(body === undefined ? call : { ...call, body });
}

async function read({ projectId }: World, id: string): Promise<Finding> {
  return (await service.call<Finding>({ projectId, path: `/findings/${id}` })).body;
}

async function listed({ projectId }: World): Promise<Finding[]> {
  return (await service.call<{ findings: Finding[] }>({ projectId, path: '/findings' })).body.findings;
}

async function activityOf({ projectId }: World, id: string): Promise<FindingActivity[]> {
  const path = `/findings/${id}/activity`;
  return (await service.call<{ activity: FindingActivity[] }>({ projectId, path })).body.activity;
}

/** Finding without the time of its last write. */
function timeless({ updatedAt: _, ...finding }: Finding) {
  return finding;
}

/** Latest number of Findings that was announced to the warehouse, by conversation. */
async function toldCounts(projectId: string): Promise<Record<string, number>> {
  const events = await emittedMessages(service.database, conversationFindingsChanged, projectId);
  const all = events.flatMap(({ data }) => data.conversations).toSorted((one, other) => one.sequence - other.sequence);
  return Object.fromEntries(all.map(({ conversationId, findingCount }) => [conversationId, findingCount]));
}

describe('a Finding that is merged into another one', () => {
  it('counts there, each conversation once, leaves the list, and is read by its own id', async () => {
    const world = await newWorld({ one: ['loop', 'error'], grave: ['loop'], two: ['error'] });
    const [loop, error] = [world.idOf('loop'), world.idOf('error')];
    const answer = await post(world, loop, 'merge', { into: error });
    expect(answer).toMatchObject({ status: 200, body: { id: loop, mergedInto: error, occurrenceCount: 2 } });
    expect(answer.body).toEqual(await read(world, loop));
    const root = await read(world, error);
    expect(root).toMatchObject({ occurrenceCount: 3, severity: 'critical', mergedFindingIds: [loop] });
    expect(root).toMatchObject({ summary: 'in grave', conversationId: 'grave', mergedInto: null });
    expect(root.evidenceWindow.conversationIds.toSorted()).toEqual(['grave', 'one', 'two']);
    expect(await listed(world)).toEqual([root]);
    expect(
      (await service.call<{ findings: Finding[] }>({ projectId: world.projectId, path: '/findings?severity=critical' }))
        .body.findings,
    ).toEqual([root]);
  });

  it('takes what is found later along, and what is withdrawn', async () => {
    const world = await newWorld({ one: ['loop'], two: ['error'] });
    const [loop, error] = [world.idOf('loop'), world.idOf('error')];
    await post(world, loop, 'merge', { into: error });
    await show(world.projectId, 'three', ['loop']);
    await show(world.projectId, 'two', ['error', 'loop'], 2);
    expect(await read(world, error)).toMatchObject({ occurrenceCount: 3 });
    await show(world.projectId, 'three', [], 2);
    await show(world.projectId, 'two', ['loop'], 3);
    expect(await read(world, error)).toMatchObject({ occurrenceCount: 2 });
    expect(await listed(world)).toMatchObject([{ id: error }]);
    await show(world.projectId, 'one', [], 2);
    await show(world.projectId, 'two', [], 4);
    expect(await listed(world)).toEqual([]);
    expect(await read(world, error)).toMatchObject({ occurrenceCount: 0 });
  });

  it('regresses the one that it was merged into', async () => {
    const world = await newWorld({ one: ['loop'], two: ['error'] });
    const [loop, error] = [world.idOf('loop'), world.idOf('error')];
    const { projectId } = world;
    await post(world, loop, 'merge', { into: error });
    const body = { resolutionStatus: 'resolved' };
    await service.call({ projectId, method: 'PATCH', path: `/findings/${error}`, body });
    const startedAt = service.clock.now() + 1;
    await service.take(
      resultOf({
        projectId,
        conversationId: 'new',
        snapshot: { startedAt, throughMs: startedAt },
        found: { rule_a: ['loop'] },
      }),
    );
    expect((await read(world, error)).resolutionStatus).toBe('regressed');
    expect(await activityOf(world, error)).toMatchObject([{ kind: 'resolution', to: 'regressed' }, {}, {}]);
  });

  it('lists its occurrences there, says as what they were found, and counts each conversation once over time', async () => {
    const world = await newWorld({ one: ['loop', 'error'], two: ['error'] });
    const [loop, error] = [world.idOf('loop'), world.idOf('error')];
    await post(world, loop, 'merge', { into: error });
    const { projectId } = world;
    const path = `/findings/${error}/occurrences`;
    const pageAfter = async (cursor: string) => {
      const query = cursor === '' ? '' : `&cursor=${cursor}`;
      return (
        await service.call<{ occurrences: FindingOccurrence[]; nextCursor: string | null }>({
          projectId,
          path: `${path}?limit=2${query}`,
        })
      ).body;
    };
    const first = await pageAfter('');
    const second = await pageAfter(first.nextCursor!);
    const seen = [...first.occurrences, ...second.occurrences];
    expect(seen.map(({ conversationId, findingId }) => `${conversationId} ${findingId}`).toSorted()).toEqual(
      [`one ${error}`, `one ${loop}`, `two ${error}`].toSorted(),
    );
    const counts = await service.call({
      ...{
        projectId,
        path: `/findings/${error}/occurrence-counts?startMs=0&endMs=9000000000000&intervalMs=9000000000000`,
      },
    });
    expect(counts.body).toEqual({ counts: [{ startMs: 0, occurrences: 2 }] });
  });

  it('is what a conversation is told to show, once, and so is its number of Findings', async () => {
    const world = await newWorld({ one: ['loop', 'error'], two: ['loop'] });
    const { projectId } = world;
    const [loop, error] = [world.idOf('loop'), world.idOf('error')];
    expect(await toldCounts(projectId)).toEqual({ one: 2, two: 1 });
    await post(world, loop, 'merge', { into: error });
    const { body } = await service.call<ConversationDiagnosis>({ projectId, path: '/conversations/one' });
    expect(body.findings.map(({ id }) => id)).toEqual([error]);
    expect(body.symptoms.map(({ findingId }) => findingId)).toEqual([error, error]);
    while ((await service.doTasks()) > 0);
    expect(await toldCounts(projectId)).toEqual({ one: 1, two: 1 });
    await post(world, loop, 'unmerge', undefined);
    while ((await service.doTasks()) > 0);
    expect(await toldCounts(projectId)).toEqual({ one: 2, two: 1 });
  });

  it('is as it was once it is taken out again, and so is the other one', async () => {
    const world = await newWorld({ one: ['loop', 'error'], grave: ['loop'], two: ['error'] });
    const ids = [world.idOf('loop'), world.idOf('error')] as const;
    const before = await Promise.all(ids.map((id) => read(world, id)));
    await post(world, ids[0], 'merge', { into: ids[1] });
    const { status, body } = await post(world, ids[0], 'unmerge', undefined);
    expect([status, body.mergedInto]).toEqual([200, null]);
    const after = await Promise.all(ids.map((id) => read(world, id)));
    expect(after.map(timeless)).toEqual(before.map(timeless));
  });

  it('is changed where it was merged into, and not by itself', async () => {
    const world = await newWorld({ one: ['loop', 'error'] });
    const [loop, error] = [world.idOf('loop'), world.idOf('error')];
    const { projectId } = world;
    await post(world, loop, 'merge', { into: error });
    const body = { reviewStatus: 'dismissed' };
    const refused = await service.call({ projectId, method: 'PATCH', path: `/findings/${loop}`, body });
    expect(refused).toMatchObject({ status: 409, body: { code: 'FINDING_MERGED' } });
    const changed = await service.call({ projectId, method: 'PATCH', path: `/findings/${error}`, body });
    expect(changed).toMatchObject({ status: 200, body: { reviewStatus: 'dismissed', occurrenceCount: 1 } });
  });

  it('tells who did it, in the activity of both and in what is told of Findings', async () => {
    const world = await newWorld({ one: ['loop'], two: ['error'] });
    const [loop, error] = [world.idOf('loop'), world.idOf('error')];
    await post(world, loop, 'merge', { into: error });
    const actor = { kind: 'key', id: expect.any(String) };
    for (const id of [loop, error]) {
      expect(await activityOf(world, id)).toMatchObject([{ kind: 'merge', from: loop, to: error, actor }]);
    }
    expect((await emittedMessages(service.database, findingChanged, world.projectId)).at(-1)?.data).toMatchObject({
      actor,
      findings: expect.arrayContaining([
        expect.objectContaining({ findingId: loop, listed: false, mergedInto: error }),
      ]),
    });
  });
});

describe('a merge', () => {
  it.each([
    ['itself', 'error', 'error', 409, 'CONFLICT'],
    ['what was merged into it', 'error', 'loop', 409, 'CONFLICT'],
    ['another one, though it is merged', 'loop', 'leak', 409, 'FINDING_MERGED'],
  ])('into %s is refused, and changes nothing', async (_name, one, other, status, code) => {
    const world = await newWorld({ one: ['loop', 'error', 'leak'] });
    await post(world, world.idOf('loop'), 'merge', { into: world.idOf('error') });
    const before = await listed(world);
    expect(await post(world, world.idOf(one), 'merge', { into: world.idOf(other) })).toMatchObject({
      status,
      body: { code },
    });
    expect(await listed(world)).toEqual(before);
  });

  it('of or into a missing Finding is 404 FINDING_NOT_FOUND', async () => {
    const world = await newWorld({ one: ['loop'] });
    const missing = derivedId('fnd', 'missing');
    for (const [one, into] of [
      [missing, world.idOf('loop')],
      [world.idOf('loop'), missing],
    ] as const) {
      expect(await post(world, one, 'merge', { into })).toMatchObject({
        status: 404,
        body: { code: 'FINDING_NOT_FOUND' },
      });
    }
  });

  it('is refused with an If-Match of before a change by people, and of many at once one wins', async () => {
    const world = await newWorld({ one: ['loop', 'error', 'leak'] });
    const path = `/findings/${world.idOf('loop')}`;
    const etag = (await service.call({ projectId: world.projectId, path })).headers.get('etag')!;
    const answers = await Promise.all(
      ['error', 'leak', 'error', 'leak'].map((into) =>
        post(world, world.idOf('loop'), 'merge', { into: world.idOf(into) }, { 'if-match': etag }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412]);
  });

  it('loses no conversation that is found in the same moment, nor counts one twice', async () => {
    const world = await newWorld({ first: ['loop', 'error'] });
    const { projectId } = world;
    const [loop, error] = [world.idOf('loop'), world.idOf('error')];
    const found = Array.from({ length: 8 }, (_, index) => {
      const clusters = index % 2 === 0 ? ['loop'] : ['loop', 'error'];
      return service.take(resultOf({ projectId, conversationId: `chat ${index}`, found: { rule_a: clusters } }));
    });
    await Promise.all([...found, post(world, loop, 'merge', { into: error })]);
    expect(await read(world, error)).toMatchObject({ occurrenceCount: 9 });
    expect(await read(world, loop)).toMatchObject({ occurrenceCount: 9, mergedInto: error });
    await post(world, loop, 'unmerge', undefined);
    expect(await read(world, error)).toMatchObject({ occurrenceCount: 5 });
  });
});
