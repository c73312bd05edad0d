import { expect } from '@jest/globals';
import type { ConversationSummary, Trace } from '@clew/contracts';
import { eventually, type EncodedSpan } from '@clew/testing';
import type { Connection } from 'mongoose';
import { withMongo } from './database.ts';
import type { Acknowledged } from './persistent-sender.ts';
import type { TestProject } from './test-project.ts';

const SETTLE_TIMEOUT_MS = 240_000;

/** Verifies that every acknowledged span is stored exactly once. */
export async function expectStoredOnce(
  project: TestProject,
  spans: EncodedSpan[],
  acknowledged: Acknowledged,
): Promise<void> {
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

/** Verifies one Finding, with one occurrence for each failing conversation. */
export async function expectFindings(
  project: TestProject,
  failingCount: number,
  conversationCount: number,
): Promise<void> {
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
 * Verifies that each content of a ready conversation was analyzed once, by each Rule once, and that all runs succeeded.
 * Late spans that change no word create a new snapshot with the same content hash, which is not analyzed again. A
 * conversation with missing spans may read differently for a while, and is analyzed again once they have arrived.
 */
export async function expectAnalysedOnce(project: TestProject): Promise<void> {
  await withMongo(async (connection) => {
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
  });
}

interface Snapshot {
  id: string;
  /** Conversation id and content hash. */
  content: string;
}

/** Snapshots by conversation, in the order of their creation. */
async function snapshotsByRevision(connection: Connection, projectId: string): Promise<Snapshot[]> {
  const snapshots = connection.useDb('clew_telemetry').collection('snapshots').find({ projectId });
  return (await snapshots.sort({ conversationId: 1, revision: 1 }).toArray()).map(
    ({ _id, conversationId, contentHash }) => ({ id: String(_id), content: `${conversationId}:${contentHash}` }),
  );
}

/** Contents that differ from the previous one. */
function newContents(snapshots: readonly Snapshot[]): string[] {
  return snapshots.flatMap(({ content }, index) => (content === snapshots[index - 1]?.content ? [] : content));
}

async function runsBySnapshot(connection: Connection, projectId: string) {
  const analyses = await connection.useDb('clew_diagnostics').collection('analyses').find({ projectId }).toArray();
  return analyses.map(({ snapshotId, rules, endedAt, failed, skipped }) => {
    const ruleIds = String(rules).split(' ');
    const succeeded = endedAt === null || failed !== undefined || skipped !== undefined ? 0 : ruleIds.length;
    return { snapshotId: String(snapshotId), rules: new Set(ruleIds).size, succeeded };
  });
}
