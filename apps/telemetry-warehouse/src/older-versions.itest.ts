import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Conversation, conversationReady, EnvelopeOf, ReadyConversation, Score } from '@clew/contracts';
import { readJson, sha256Hex } from '@clew/kernel';
import { migrate, outboxCollection } from '@clew/persistence';
import { silentLogger, useTestEnvironment } from '@clew/testing';
import { migrateWithKills, openRestored, type RestoredDatabase } from '@clew/testing-host';
import { service as serviceNamed } from '@clew/testing/identities';
import { earlierCollections, recordsOf } from './fragments/earlier/earlier-spans.ts';
import { createSpanMover } from './fragments/earlier/move-spans.ts';
import { fragmentModel } from './fragments/fragment.model.ts';
import { createFragmentStore } from './fragments/fragments.store.ts';
import { migrations } from './migrations.ts';
import { startTestService, type TestService } from './test-support/service.ts';
import { QUIET_MS } from './test-support/stores.ts';
import { chatSpan, groupsMessage, PROJECT_ID, spansMessage, type SpansMessage } from './test-support/spans.ts';

const DUMPS = join(import.meta.dirname, 'test-support/dumps');
const DUMP = join(DUMPS, 'before-trace-fragments.ndjson.gz');
/** The last migration of that version. */
const LATEST_THEN = '0004-due-conversations';
const MAX_PLAIN_CHARACTERS = 1_000;
/** A message's own hash, where services read it, and what is told of a call since. */
const ADDED_TO_MESSAGES = ['hash', 'model', 'durationMs'];
const WORKER = serviceNamed('jobs-worker');

interface Answered {
  project: string;
  /** Which conversation was scored, and how. */
  scored: string;
  posted: object;
  /** With which snapshots conversations were announced as ready. */
  announced: { conversationId: string; snapshotId: string }[];
  /** Answers of the older version, by path; a long text is the hash of it. */
  reads: Record<string, object>;
}

const environment = useTestEnvironment();
let answered: Answered;
let restored: RestoredDatabase;
let service: TestService;

beforeEach(async () => {
  answered = readJson(await readFile(join(DUMPS, 'before-trace-fragments.json'), 'utf8')) as Answered;
  restored = await openRestored(environment, DUMP);
  await migrate(restored.database, migrations, { logger: silentLogger() });
  service = await startTestService(environment, restored.database);
  // That version's clock had gone on.
  service.clock.advance(10 * QUIET_MS);
});

afterEach(async () => {
  await service.stop();
  await restored.drop();
});

describe('a database of the version before trace fragments', () => {
  it('answers every read as that version did, before its spans are moved and after', async () => {
    expect(Object.keys(answered.reads)).toHaveLength(20);
    await expectAnswersAsThen();
    await moveSpans();
    await expectAnswersAsThen();
  });

  it('has each span once when all are moved', async () => {
    const { spans, payloads } = earlierCollections(restored.database);
    expect([await spans.countDocuments(), await payloads.countDocuments()]).toEqual([20, 21]);
    await moveSpans();
    expect([await spans.countDocuments(), await payloads.countDocuments()]).toEqual([0, 0]);
    const fragments = await fragmentModel(restored.database.connection).find().lean();
    expect(fragments.reduce((sum, { spanCount }) => sum + spanCount, 0)).toBe(20);
  });

  it('still knows a score, and the key that it was given under', async () => {
    const { scored, posted } = answered;
    const before = (await read(scored)).scores;
    const headers = { 'idempotency-key': 'once' };
    const path = `/conversations/${scored}/scores`;
    const again = await service.call<Score>({ method: 'POST', path, headers, body: posted });
    expect({ status: again.status, scores: [again.body] }).toEqual({ status: 201, scores: before });
    expect((await read(scored)).scores).toEqual(before);
  });

  it('takes a count of Findings only where it is later than the one that was told then', async () => {
    const { conversations } = service.stores;
    const count = (findingCount: number, sequence: number) =>
      conversations.setFindingCounts([{ projectId: PROJECT_ID, conversationId: 'order-17', findingCount, sequence }]);
    await count(7, 0);
    expect(await read('order-17')).toMatchObject({ findingCount: 1 });
    await count(2, 2);
    expect(await read('order-17')).toMatchObject({ findingCount: 2 });
  });

  it('names the snapshot that was announced as the one that is ready', async () => {
    const latest = new Map(answered.announced.map(({ conversationId, snapshotId }) => [conversationId, snapshotId]));
    expect(latest.size).toBe(4);
    for (const [conversationId, snapshotId] of latest) {
      const path = `//internal/v1/projects/${PROJECT_ID}/conversations/${conversationId}/ready-snapshot`;
      const { body } = await service.call({ path, principal: serviceNamed('diagnostics-svc') });
      expect(body).toMatchObject({ conversationId, snapshotId, state: 'ready' });
    }
  });
});

describe('conversations of the version before trace fragments', () => {
  it('that were announced are not again, also when all their spans come once more; one that was open is', async () => {
    const received = await messagesThen();
    await service.settleAll();
    expect(await announcedNow()).toMatchObject([{ conversationId: 'open-20', revision: 1, messageCount: 5 }]);
    await service.store(...received);
    await service.settleAll();
    expect(await announcedNow()).toHaveLength(1);
    for (const { id, messages, scores, ...then } of conversationsThen()) {
      const now = await read(id);
      expect(condensed(now)).toMatchObject({ id, messages, scores, messageCount: messages.length });
      expect([now.spanCount, now.errorCount, now.usage]).toEqual([then.spanCount, then.errorCount, then.usage]);
    }
  });

  it('go on with what was said then when new spans of them come', async () => {
    const before = await Promise.all(['order-17', 'order-18', 'large-19'].map(read));
    const spans = before.map(({ id }, index) =>
      chatSpan({ trace: 90 + index, span: 90 + index, conversation: id, said: 'And now?', answered: 'Done.' }),
    );
    await service.store(spansMessage({ spans }));
    await service.settleAll();
    const told = (await announcedNow()).filter(({ conversationId }) => conversationId !== 'open-20');
    expect(told.map(({ conversationId }) => conversationId).toSorted()).toEqual(['large-19', 'order-17', 'order-18']);
    for (const { id, messages, spanCount, snapshotId, findingCount, scores } of before) {
      const after = await read(id);
      expect(after).toMatchObject({ spanCount: spanCount + 1, state: 'ready', findingCount, scores });
      expect(after.snapshotId).not.toBe(snapshotId);
      const added = ['And now?', 'Done.'].map((content) => ({ content }));
      expect(after.messages).toHaveLength(messages.length + added.length);
      expect(after.messages).toMatchObject([...messages, ...added]);
      expect(told.find(({ conversationId }) => conversationId === id)?.snapshotId).toBe(after.snapshotId);
    }
  });
});

it('migrations that are killed before they are noted leave, run again, what those leave that ran through', async () => {
  // Sweeps are due from the time of the migration on.
  const { through, killed, kills } = await migrateWithKills(environment, DUMP, migrations, ['retention_sweeps']);
  expect(kills).toEqual(migrations.map(({ id }) => id).filter((id) => id > LATEST_THEN));
  expect(killed).toEqual(through);
  expect(Object.keys(through)).toEqual(expect.arrayContaining(['conversations', 'spans', 'trace_fragments']));
});

async function moveSpans(): Promise<void> {
  const mover = createSpanMover(restored.database, createFragmentStore(restored.database));
  while ((await mover.movePage()) > 0);
}

async function expectAnswersAsThen(): Promise<void> {
  for (const [path, body] of Object.entries(answered.reads)) {
    const answer = await service.call({ path, ...(path.startsWith('//') ? { principal: WORKER } : {}) });
    expect({ path, status: answer.status, body: withoutAdded(answer.body) }).toEqual({ path, status: 200, body });
  }
}

/** An answer without what messages have gained since, long texts as hashes. */
function withoutAdded(body: object): unknown {
  const plain = condensed(body) as { messages?: Record<string, unknown>[] };
  if (plain.messages === undefined) return plain;
  const messages = plain.messages.map((message) =>
    Object.fromEntries(Object.entries(message).filter(([name]) => !ADDED_TO_MESSAGES.includes(name))),
  );
  return { ...plain, messages };
}

async function read(conversationId: string): Promise<Conversation> {
  const { status, body } = await service.call<Conversation>({ path: `/conversations/${conversationId}` });
  expect({ conversationId, status }).toEqual({ conversationId, status: 200 });
  return body;
}

/** The conversations that the older version answered with, whole. */
function conversationsThen(): Conversation[] {
  const whole = Object.entries(answered.reads).filter(([path]) => path.startsWith('/conversations/'));
  return whole.map(([, body]) => body as Conversation);
}

/** What has been announced since the restore: what that version announced was published. */
async function announcedNow(): Promise<ReadyConversation[]> {
  const rows = await outboxCollection(restored.database)
    .find({ state: 'pending' }, { sort: { seq: 1 } })
    .toArray();
  return rows.flatMap(({ body }) => (readJson(body) as EnvelopeOf<typeof conversationReady>).data.conversations);
}

/** The spans that the older version had taken, as a broker may bring them again: each in a message of its own. */
async function messagesThen(): Promise<SpansMessage[]> {
  const { spans, payloads } = earlierCollections(restored.database);
  const all = recordsOf(await spans.find().toArray(), await payloads.find().toArray());
  const groups = all.flatMap((records) => records.groups);
  return groups.flatMap(({ spans: ofGroup, logs, ...origin }) => [
    ...ofGroup.map((span) => groupsMessage([{ ...origin, spans: [span], logs: [] }])),
    ...logs.map((log) => groupsMessage([{ ...origin, spans: [], logs: [log] }])),
  ]);
}

/** A text of megabytes is told by its hash. */
function condensed(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_PLAIN_CHARACTERS) return `sha256:${sha256Hex(value)}`;
  if (Array.isArray(value)) return value.map(condensed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, condensed(member)]));
}
