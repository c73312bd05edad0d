import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { readSnapshots, type ConversationSnapshot, type SuccessScore } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';
import { connectMongo, nativeDb } from '@clew/persistence';
import { explainSent, explainUsesIndex, monitored, silentLogger, useTestEnvironment } from '@clew/testing';
import { keyWith, service as serviceNamed, userWith } from '@clew/testing/identities';
import {
  chunkId,
  createSnapshotStore,
  snapshotChunkCollection,
  snapshotCollection,
  snapshotModel,
  type SnapshotChunk,
} from '../snapshots/index.ts';
import { useTestDatabase } from '../test-support/database.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { chatSpan, OTHER_PROJECT_ID, PROJECT_ID, spansMessage, STARTED_AT, traceId } from '../test-support/spans.ts';

const environment = useTestEnvironment();
const database = useTestDatabase(environment);
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment, database.current);
});

afterAll(() => service.stop());

const diagnostics = serviceNamed('diagnostics-svc');
const LATER = STARTED_AT + 1_000_000;
const said = (index: number) =>
  spansMessage({ spans: [chatSpan({ trace: index, span: index, conversation: 'c', said: `${index}` })] });
/** Time of the nth message. */
const at = (index: number) => STARTED_AT + index * 1_000;

function resolve(body: unknown, conversation = 'c', principal = diagnostics) {
  const path = `//internal/v1/projects/${PROJECT_ID}/conversations/${conversation}/snapshots`;
  return service.call<{ snapshotId: string; code?: string }>({ method: 'POST', path, body, principal });
}

async function resolved(throughMs: number, traceIds?: string[]): Promise<string> {
  const { status, body } = await resolve({ throughMs, ...(traceIds === undefined ? {} : { traceIds }) });
  expect(status).toBe(200);
  return body.snapshotId;
}

async function read(snapshotId: string): Promise<ConversationSnapshot> {
  const path = `//internal/v1/projects/${PROJECT_ID}/snapshots/${snapshotId}`;
  const { status, body } = await service.call<ConversationSnapshot>({ path, principal: serviceNamed('jobs-worker') });
  expect(status).toBe(200);
  return body;
}

async function allOf<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

const contents = ({ messages }: ConversationSnapshot) => messages.map(({ content }) => content).join('');

describe('the snapshot of a conversation up to a time', () => {
  beforeEach(async () => {
    await service.store(said(1), said(2), said(3));
    await service.settleAll();
  });

  it('is the latest for its last activity, and for any later time', async () => {
    const { snapshotId, lastActivityAt } = await service.conversation('c');
    expect(await resolved(lastActivityAt)).toBe(snapshotId);
    expect(await resolved(LATER)).toBe(snapshotId);
    expect(await resolved(at(3))).toBe(snapshotId);
  });

  it('holds what was said up to and including that time, numbered anew', async () => {
    const snapshot = await read(await resolved(at(2)));
    expect(contents(snapshot)).toBe('12');
    expect(snapshot).toMatchObject({ scope: 'prefix', throughMs: at(2), revision: 1, conversationId: 'c' });
    expect(contents(await read(await resolved(at(3) - 1)))).toBe('12');
  });

  it('is the same however often it is asked for, also after the conversation went on', async () => {
    const [prefix, whole] = [await resolved(at(2)), await resolved(at(3))];
    await service.store(said(4));
    expect([await resolved(at(2)), await resolved(at(3))]).toEqual([prefix, whole]);
    await service.settleAll();
    expect([await resolved(at(2)), await resolved(at(3))]).toEqual([prefix, whole]);
    expect(await resolved(LATER)).not.toBe(whole);
  });

  it('holds what has come since it was ready', async () => {
    await service.store(said(4));
    const snapshot = await read(await resolved(LATER));
    expect(contents(snapshot)).toBe('1234');
    expect(snapshot).toMatchObject({ scope: 'conversation', revision: 2 });
  });

  it('is narrowed to traces, where any is given', async () => {
    const some = await read(await resolved(LATER, [traceId(1), traceId(3), 'unknown']));
    expect(contents(some)).toBe('13');
    expect(some).toMatchObject({ scope: 'traces', throughMs: at(3) });
    expect(contents(await read(await resolved(at(2), [traceId(2), traceId(3)])))).toBe('2');
    const { snapshotId } = await service.conversation('c');
    expect(await resolved(LATER, [])).toBe(snapshotId);
    expect(await resolved(LATER, [1, 2, 3].map(traceId))).toBe(snapshotId);
  });

  it('is another one for other traces that say the same', async () => {
    await service.store(
      spansMessage({ spans: [chatSpan({ trace: 8, span: 8, conversation: 'c', said: 'again' })] }),
      spansMessage({ spans: [chatSpan({ trace: 9, span: 9, conversation: 'c', said: 'again' })] }),
    );
    expect(await resolved(LATER, [traceId(8)])).not.toBe(await resolved(LATER, [traceId(9)]));
  });

  it('holds the scores that were given up to then, of the whole or of its traces', async () => {
    const score = { name: 'helpful', value: true, source: 'user' as const };
    const give = (body: object) => service.call({ method: 'POST', path: '/conversations/c/scores', body });
    service.clock.advance(LATER - service.clock.now());
    await give({ ...score, name: 'whole' });
    await give({ ...score, name: 'first', traceId: traceId(1) });
    await give({ ...score, name: 'second', traceId: traceId(2) });
    const names = (snapshot: ConversationSnapshot) => snapshot.scores.map(({ name }) => name);
    expect(names(await read(await resolved(LATER, [traceId(1)])))).toEqual(['whole', 'first']);
    expect(names(await read(await resolved(at(2))))).toEqual([]);
    expect(names(await read(await resolved(LATER)))).toEqual(['whole', 'first', 'second']);
  });

  it.each([
    ['a time before its first message', { throughMs: at(1) - 1 }, 'c'],
    ['traces that are not its own', { throughMs: LATER, traceIds: [traceId(7)] }, 'c'],
    ['a conversation that does not exist', { throughMs: LATER }, 'missing'],
  ])('is not found for %s', async (_what, body, conversation) => {
    const answer = await resolve(body, conversation);
    expect([answer.status, answer.body.code]).toEqual([404, 'CONVERSATION_NOT_FOUND']);
  });

  it('is not found where the conversation says nothing', async () => {
    await service.store(spansMessage({ spans: [chatSpan({ trace: 5, span: 5, conversation: 'silent' })] }));
    expect((await resolve({ throughMs: LATER }, 'silent')).status).toBe(404);
  });

  it.each([[{}], [{ throughMs: 'now' }], [{ throughMs: -1 }], [{ throughMs: 1, unknown: 1 }]])(
    'refuses %p',
    async (body) => {
      expect((await resolve(body)).status).toBe(400);
    },
  );

  it('is whole, asked for while the conversation is assembled', async () => {
    await service.store(said(4));
    const [, ...ids] = await Promise.all([service.settleAll(), ...Array.from({ length: 8 }, () => resolved(LATER))]);
    const snapshots = await Promise.all(ids.map(read));
    expect(new Set(snapshots.map(contents))).toEqual(new Set(['1234']));
    const revisions = await nativeDb(database.current.connection)
      .collection('snapshots')
      .distinct('revision', { scope: 'conversation' });
    expect(revisions).toEqual([1, 2]);
  });
});

describe('a conversation that has become shorter', () => {
  it('is not given the snapshot of its own beginning, which only adds to what is known', async () => {
    const named = chatSpan({ trace: 1, span: 4, conversation: 'c', said: 'own' });
    const wandering = chatSpan({ trace: 1, span: 5, said: 'wandering' });
    await service.store(spansMessage({ spans: [named, wandering] }));
    await service.settleAll();
    const beginning = await resolved(at(4));
    await service.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 1, conversation: 'd' })] }));
    await service.settleAll();
    const { snapshotId } = await service.conversation('c');
    expect(snapshotId).not.toBe(beginning);
    expect(await read(snapshotId!)).toMatchObject({ scope: 'conversation', revision: 2 });
  });
});

describe('internal routes', () => {
  it.each([
    ['nobody', null, 401],
    ['a key with every scope', keyWith('workspace:admin', 'workspace:read', 'diagnostics:write'), 404],
    ['a person with every permission', userWith('workspace:admin', 'project:read'), 404],
    ['a service that has no business there', serviceNamed('gateway'), 404],
  ])('do not exist for %s', async (_who, principal, expected) => {
    await service.store(said(1));
    await service.settleAll();
    const { snapshotId } = await service.conversation('c');
    const path = `//internal/v1/projects/${PROJECT_ID}/snapshots/${snapshotId}`;
    const statuses = [(await service.call({ path, principal })).status];
    const resolving = `//internal/v1/projects/${PROJECT_ID}/conversations/c/snapshots`;
    const body = { throughMs: LATER };
    statuses.push((await service.call({ method: 'POST', path: resolving, body, principal })).status);
    const reading = `//internal/v1/projects/${PROJECT_ID}/snapshots/read`;
    const wanted = { snapshotIds: [snapshotId] };
    statuses.push((await service.call({ method: 'POST', path: reading, body: wanted, principal })).status);
    expect(statuses).toEqual([expected, expected, expected]);
  });

  it('do not give the snapshots of another project, nor one that does not exist', async () => {
    await service.store(said(1));
    await service.settleAll();
    const { snapshotId } = await service.conversation('c');
    const elsewhere = `//internal/v1/projects/${OTHER_PROJECT_ID}/snapshots/${snapshotId}`;
    const missing = `//internal/v1/projects/${PROJECT_ID}/snapshots/cesr_${'0'.repeat(26)}`;
    for (const path of [elsewhere, missing]) {
      expect((await service.call({ path, principal: diagnostics })).status).toBe(404);
    }
  });

  it('find snapshots by indexes', async () => {
    await service.store(said(1));
    await service.settleAll();
    const model = snapshotModel(database.current.connection);
    const wanted = { projectId: PROJECT_ID, conversationId: 'c', contentHash: 'x', scope: { $ne: 'traces' as const } };
    await expect(explainUsesIndex(model.findOne(wanted, { _id: 1 }).sort({ revision: -1 }))).resolves.toContain(
      'IXSCAN',
    );
  });
});

describe('many snapshots', () => {
  async function readMany(snapshotIds: string[], projectId = PROJECT_ID): Promise<ConversationSnapshot[]> {
    const lines = service
      .clientOf('jobs-worker')
      .lines(readSnapshots, { params: { projectId }, body: { snapshotIds } });
    return await allOf(lines);
  }

  async function storeConversations(...names: string[]): Promise<string[]> {
    for (const [index, conversation] of names.entries()) {
      const span = chatSpan({ trace: index + 1, span: index + 1, conversation, said: `${conversation}\n"` });
      await service.store(spansMessage({ spans: [span] }));
    }
    await service.settleAll();
    return await Promise.all(names.map(async (name) => String((await service.conversation(name)).snapshotId)));
  }

  it('come as each comes alone, without those that do not exist or are another project’s', async () => {
    const ids = await storeConversations('a', 'b"', 'c');
    const unknown = `cesr_${'0'.repeat(26)}`;
    const [first, , third] = await Promise.all(ids.map(read));
    expect(await readMany([ids[2]!, unknown, ids[0]!, ids[0]!])).toEqual(
      [first!, third!].toSorted((left, right) => (left.snapshotId < right.snapshotId ? -1 : 1)),
    );
    expect(await readMany(ids)).toHaveLength(3);
    expect(await readMany(ids, OTHER_PROJECT_ID)).toEqual([]);
  });

  it('carry the scores that the project names when they are read, and no other project’s', async () => {
    const [one, other] = await storeConversations('a', 'b');
    const before = await Promise.all([read(one!), read(other!)]);
    const name = (successScores: SuccessScore[], projectId = PROJECT_ID) =>
      service.call({
        ...{ method: 'PATCH', path: '/telemetry/settings', projectId, body: { successScores } },
        principal: keyWith('workspace:write'),
      });
    const named = [{ name: 'csat', atLeast: 4 }, { name: 'resolved' }];
    await name([{ name: 'elsewhere' }], OTHER_PROJECT_ID);
    expect([await read(one!), await read(other!)]).toEqual(before);
    await name(named);
    const after = before.map((snapshot) => ({ ...snapshot, successScores: named }));
    expect([await read(one!), await read(other!)]).toEqual(after);
    expect(await readMany([one!, other!])).toEqual(
      after.toSorted((left, right) => (left.snapshotId < right.snapshotId ? -1 : 1)),
    );
    await name([]);
    expect([await read(one!), await read(other!)]).toEqual(before);
  });

  it('stay as they are, by id, hash and revision, whatever scores the project names', async () => {
    const [id] = await storeConversations('a');
    const stored = () => snapshotCollection(database.current.connection).find({}).sort({ _id: 1 }).toArray();
    const [conversation, rows] = [await service.conversation('a'), await stored()];
    await service.call({
      ...{ method: 'PATCH', path: '/telemetry/settings', body: { successScores: [{ name: 'csat', atLeast: 4 }] } },
      principal: keyWith('workspace:write'),
    });
    expect((await resolve({ throughMs: LATER }, 'a')).body).toEqual({ snapshotId: id, conversationId: 'a' });
    await service.settleAll();
    expect([await service.conversation('a'), await stored()]).toEqual([conversation, rows]);
  });

  /** Moves the content of a snapshot into two chunks, as a large one is stored. */
  async function storeInChunks(snapshotId: string): Promise<mongo.Collection<SnapshotChunk>> {
    const { connection } = database.current;
    const [snapshots, chunks] = [snapshotCollection(connection), snapshotChunkCollection(connection)];
    const stored = await snapshots.findOneAndUpdate(
      { _id: snapshotId },
      { $set: { chunkCount: 2 }, $unset: { content: '' } },
    );
    const bytes = stored!.content!.value();
    const parts = [bytes.subarray(0, 40), bytes.subarray(40)];
    await chunks.insertMany(
      parts.map((part, index) => ({
        ...{ _id: chunkId(snapshotId, index), projectId: PROJECT_ID, createdAt: new Date() },
        bytes: new mongo.Binary(part),
      })),
    );
    return chunks;
  }

  it('come as before where they are in chunks', async () => {
    const [one, other] = await storeConversations('a', 'b');
    const before = await readMany([one!, other!]);
    await storeInChunks(one!);
    expect(await readMany([one!, other!])).toEqual(before);
    expect(await read(one!)).toEqual(before.find(({ snapshotId }) => snapshotId === one));
  });

  it('come without one of which a part is gone', async () => {
    const [gone, left] = await storeConversations('a', 'b');
    await (await storeInChunks(gone!)).deleteOne({ _id: `${gone}:0001` });
    expect((await readMany([gone!, left!])).map(({ snapshotId }) => snapshotId)).toEqual([left]);
  });

  it.each([
    ['without ids', {}],
    ['with no id', { snapshotIds: [] }],
    ['with what is no id', { snapshotIds: ['x'] }],
    ['with 101 ids', { snapshotIds: Array.from({ length: 101 }, () => `cesr_${'0'.repeat(26)}`) }],
  ])('are refused %s', async (_what, body) => {
    const path = `//internal/v1/projects/${PROJECT_ID}/snapshots/read`;
    expect((await service.call({ method: 'POST', path, body, principal: diagnostics })).status).toBe(400);
  });

  it('are read in one query', async () => {
    const ids = await storeConversations('a', 'b', 'c');
    const { mongoUrl, database: name } = environment;
    const watched = await connectMongo({
      ...{ url: monitored(mongoUrl), database: name, appName: 'test', logger: silentLogger() },
    });
    const explained = await explainSent(watched, () => allOf(createSnapshotStore(watched).readMany(PROJECT_ID, ids)));
    await watched.close();
    expect(explained.map(({ stats }) => stats.nReturned)).toEqual([3]);
  });
});

describe('a snapshot of megabytes', () => {
  it('is kept in chunks that are whole again when it is read', async () => {
    // Text that cannot be compressed to less than the limit of a document.
    const text = (index: number) => `${index}🙂${noise(index, 2_800_000)}`;
    for (const index of [1, 2, 3]) {
      const span = chatSpan({ trace: index, span: index, conversation: 'c', said: text(index) });
      await service.store(spansMessage({ spans: [span] }));
    }
    await service.settleAll();
    const { snapshotId } = await service.conversation('c');
    const snapshot = await read(snapshotId!);
    const lines = service.clientOf('datasets-svc').lines(readSnapshots, {
      params: { projectId: PROJECT_ID },
      body: { snapshotIds: [snapshotId!] },
    });
    expect(await allOf(lines)).toEqual([snapshot]);
    const [first] = snapshot.messages;
    expect(first!.content).toBe(text(1));
    expect(await nativeDb(database.current.connection).collection('snapshot_chunks').countDocuments()).toBe(1);
    expect(snapshot.truncated).toBe(true);
  });
});

/** Letters without any pattern, the same for the same seed. */
function noise(seed: number, length: number): string {
  const parts: string[] = [];
  for (let block = 0; parts.length * 64 < length; block += 1) parts.push(sha256Hex(`${seed}:${block}`));
  return parts.join('').slice(0, length);
}
