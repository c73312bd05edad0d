import { describe, expect, it } from '@jest/globals';
import type { ConversationSummary, Trace } from '@clew/contracts';
import { encodeConversation, eventually, type EncodedSpan } from '@clew/testing';
import { createConnection, type Connection } from 'mongoose';
import { killAndAwaitRecovery, type Victim } from './support/chaos.ts';
import { cleanConversation, failingToolConversation } from './support/conversations.ts';
import { sendUntilAcknowledged, type Acknowledged } from './support/persistent-sender.ts';
import { runningStack } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

/** 5,000 in the long tier. */
const SPAN_COUNT = Number(process.env['CLEW_CRASH_SPANS'] ?? 400);
const SPANS_PER_REQUEST = 10;
const TIMEOUT_MS = 900_000;
const SETTLE_TIMEOUT_MS = 240_000;

const VICTIMS: Victim[] = [
  ...[
    ...['gateway', 'telemetry-ingest', 'telemetry-warehouse', 'diagnostics-svc', 'jobs-worker'],
    ...['datasets-svc', 'model-runtime-svc', 'model-runtime-agent'],
  ].map((name) => ({ kind: 'app' as const, name })),
  { kind: 'server', name: 'rabbitmq' },
];

describe('kill -9 while spans are sent', () => {
  it(
    'every acknowledged span is stored once, every snapshot analysed once, one occurrence per conversation',
    async () => {
      const project = await createTestProject('crash');
      const { spans, failingCount, conversationCount } = manySpans(SPAN_COUNT);
      const acknowledged: Acknowledged = new Set();
      const parts = partition(inBatches(spans), VICTIMS.length);
      for (const [index, victim] of VICTIMS.entries()) {
        await Promise.all([
          sendUntilAcknowledged(project.apiKey, parts[index] ?? [], acknowledged),
          killAndAwaitRecovery(victim),
        ]);
      }
      expect(acknowledged.size).toBe(spans.length);
      await expectStoredOnce(project, spans, acknowledged);
      await expectFindings(project, failingCount, conversationCount);
      await expectAnalysedOnce(project);
      process.stdout.write(
        `${JSON.stringify({ acknowledged: acknowledged.size, conversations: conversationCount, killed: VICTIMS.map(({ name }) => name) })}\n`,
      );
    },
    TIMEOUT_MS,
  );
});

function manySpans(wanted: number) {
  const spans: EncodedSpan[] = [];
  const startMs = Date.now() - 3_600_000;
  let failingCount = 0;
  let conversationCount = 0;
  while (spans.length < wanted) {
    const id = `crash-${conversationCount}`;
    const failing = conversationCount % 2 === 0;
    const script = failing ? failingToolConversation(id) : cleanConversation(id);
    spans.push(...encodeConversation(script, { dialect: 'genai', startMs, idSeed: id }).spans);
    failingCount += failing ? 1 : 0;
    conversationCount += 1;
  }
  return { spans: shuffled(spans), failingCount, conversationCount };
}

/** A fixed permutation, so that a failure can be repeated. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  const result = [...items];
  let state = 12_345;
  for (let index = result.length - 1; index > 0; index -= 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = state % (index + 1);
    [result[index], result[other]] = [result[other] as Item, result[index] as Item];
  }
  return result;
}

function inBatches(spans: readonly EncodedSpan[]): EncodedSpan[][] {
  const count = Math.ceil(spans.length / SPANS_PER_REQUEST);
  return Array.from({ length: count }, (_, index) =>
    spans.slice(index * SPANS_PER_REQUEST, (index + 1) * SPANS_PER_REQUEST),
  );
}

function partition<Item>(items: readonly Item[], count: number): Item[][] {
  return Array.from({ length: count }, (_, part) => items.filter((_item, index) => index % count === part));
}

async function expectStoredOnce(project: TestProject, spans: EncodedSpan[], acknowledged: Acknowledged): Promise<void> {
  const byTrace = Map.groupBy(spans, ({ traceId }) => traceId);
  for (const [traceId, ofTrace] of byTrace) {
    await eventually(
      async () => {
        const { body } = await project.call<Trace>(`/traces/${traceId}`);
        const stored = body.spans.map(({ spanId }) => spanId);
        expect(stored.toSorted()).toEqual(ofTrace.map(({ spanId }) => spanId).toSorted());
        expect(stored.every((spanId) => acknowledged.has(`${traceId}:${spanId}`))).toBe(true);
      },
      { timeoutMs: SETTLE_TIMEOUT_MS, intervalMs: 500 },
    );
  }
}

async function expectFindings(project: TestProject, failingCount: number, conversationCount: number): Promise<void> {
  await eventually(
    async () => {
      const conversations = await allConversations(project);
      expect(conversations).toHaveLength(conversationCount);
      expect(conversations.filter(({ state }) => state !== 'ready')).toEqual([]);
      const findings = await project.findings();
      expect(findings.map(({ occurrenceCount }) => occurrenceCount)).toEqual([failingCount]);
      expect(conversations.filter(({ findingCount }) => findingCount > 0)).toHaveLength(failingCount);
    },
    { timeoutMs: SETTLE_TIMEOUT_MS, intervalMs: 1_000 },
  );
}

async function allConversations(project: TestProject): Promise<ConversationSummary[]> {
  const all: ConversationSummary[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await project.call<{ conversations: ConversationSummary[]; nextCursor: string | null }>(
      `/conversations?limit=500${query}`,
    );
    all.push(...body.conversations);
    cursor = body.nextCursor;
  }
  return all;
}

/**
 * Each content that a conversation had when it was ready was analysed once, by each Rule once, and all runs ended well.
 * (Late spans that change no word make a new snapshot with the same content hash, which is not analysed again. A
 * conversation of which some spans are missing may read otherwise for a while, and is analysed again once it does not.)
 */
async function expectAnalysedOnce(project: TestProject): Promise<void> {
  const connection = await createConnection(runningStack().mongoUrl).asPromise();
  try {
    await eventually(
      async () => {
        const snapshots = await snapshotsByRevision(connection, project.id);
        const contentOf = new Map(snapshots.map(({ id, content }) => [id, content]));
        const runs = await runsBySnapshot(connection, project.id);
        const analysed = runs.map(({ snapshotId }) => contentOf.get(snapshotId));
        expect(analysed.toSorted()).toEqual(newContents(snapshots).toSorted());
        expect(new Set(runs.map(({ rules }) => rules)).size).toBe(1);
        expect(runs.every(({ rules, succeeded }) => rules === succeeded)).toBe(true);
      },
      { timeoutMs: SETTLE_TIMEOUT_MS, intervalMs: 1_000 },
    );
  } finally {
    await connection.close();
  }
}

interface Snapshot {
  id: string;
  /** Conversation and content hash. */
  content: string;
}

/** Of each conversation, in the order in which they were made. */
async function snapshotsByRevision(connection: Connection, projectId: string): Promise<Snapshot[]> {
  const snapshots = connection.useDb('clew_telemetry').collection('snapshots').find({ projectId });
  return (await snapshots.sort({ conversationId: 1, revision: 1 }).toArray()).map(
    ({ _id, conversationId, contentHash }) => ({ id: String(_id), content: `${conversationId}:${contentHash}` }),
  );
}

/** The contents that differ from the ones before. */
function newContents(snapshots: readonly Snapshot[]): string[] {
  return snapshots.flatMap(({ content }, index) => (content === snapshots[index - 1]?.content ? [] : content));
}

async function runsBySnapshot(connection: Connection, projectId: string) {
  const runs = await connection.useDb('clew_diagnostics').collection('analysis_runs').find({ projectId }).toArray();
  return [...Map.groupBy(runs, ({ snapshotId }) => String(snapshotId))].map(([snapshotId, ofSnapshot]) => ({
    snapshotId,
    rules: new Set(ofSnapshot.map(({ ruleId }) => String(ruleId))).size,
    succeeded: ofSnapshot.filter(({ state }) => state === 'succeeded').length,
  }));
}
