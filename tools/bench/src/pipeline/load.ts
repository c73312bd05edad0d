import { setTimeout as sleep } from 'node:timers/promises';
import type { StackFile, TemporaryStack } from '@clew/stack';
import { MongoClient, type Collection } from 'mongodb';
import { sendAll } from '../ingest/send.ts';
import { processesOf, usageOf, usedBetween, type Usage } from '../support/usage.ts';
import { decisionsOf, untilDecided } from './collecting.ts';
import { hearAnalysed } from './hear-analysed.ts';
import type { PipelineWorkload } from './workload.ts';

const CONCURRENCY = 4;
const POLL_MS = 500;
const COMMANDS_OF_A_POLL = 4;
/** Quiet time of the development stack; the figures exclude it. */
const QUIET_MS = 2_000;

/** Figures of one load. */
export interface Load {
  conversations: number;
  spans: number;
  acceptedMs: number;
  /** Time until all Rules of the last conversation have ended and its Findings are readable, without the quiet time. */
  analysedMs: number;
  used: Usage;
  attributeBytes: number;
  /** Bytes on disk, by collection. */
  diskBytes: Record<string, number>;
}

/** End of a load: its Rules have all ended, and Datasets have had a time for their looks. */
export interface Awaited {
  rules: number;
  looksMs: number;
  /** Datasets that collect. */
  datasets: number;
}

/** Sends conversations and measures what is used until all is done. */
export async function load(
  { stackFile, env }: TemporaryStack,
  workload: PipelineWorkload,
  { rules, looksMs, datasets }: Awaited,
): Promise<Load> {
  const client = await MongoClient.connect(stackFile.mongoUrl);
  const processes = processesOf(String(env['CLEW_HOME']));
  const analysed = await hearAnalysed(stackFile);
  try {
    const goal = await expectedCounts(client, workload, rules);
    const decisions = (await decisionsOf(client)) + datasets * workload.conversationCount;
    const disk = await diskBytes(client);
    const before = await usageOf(client, processes);
    const startedAtMs = performance.now();
    const { gatewayUrl, apiKey } = stackFile;
    await sendAll({ gatewayUrl, apiKey, bodies: workload.bodies, concurrency: CONCURRENCY });
    const acceptedMs = performance.now() - startedAtMs;
    // Heard first: each poll reads all conversations, which a store of many loads would make a part of the figures.
    await analysed.until(workload.conversationCount);
    const polls = await untilAnalysed(client, goal);
    await readFindings(stackFile);
    const analysedMs = performance.now() - startedAtMs - QUIET_MS;
    // Looked at only after the wait: each count reads all decisions.
    await sleep(looksMs);
    await untilDecided(client, decisions);
    const used = usedBetween(before, await usageOf(client, processes));
    used.mongoCommands -= polls * COMMANDS_OF_A_POLL;
    await client.db('admin').command({ fsync: 1 });
    return {
      ...{ conversations: workload.conversationCount, spans: workload.spanCount },
      ...{ acceptedMs, analysedMs, used, attributeBytes: workload.attributeBytes },
      diskBytes: grown(disk, await diskBytes(client)),
    };
  } finally {
    await analysed.stop();
    await client.close();
  }
}

interface Goal {
  readyConversations: number;
  endedRuns: number;
}

/** Expected counts: those of now, plus those of the workload. */
async function expectedCounts(client: MongoClient, workload: PipelineWorkload, rules: number): Promise<Goal> {
  const now = await countsOf(client);
  return {
    readyConversations: now.readyConversations + workload.conversationCount,
    endedRuns: now.endedRuns + workload.conversationCount * rules,
  };
}

async function countsOf(client: MongoClient): Promise<Goal> {
  const [conversations, analyses] = [
    client.db('clew_telemetry').collection('conversations'),
    client.db('clew_diagnostics').collection('analyses'),
  ];
  return {
    readyConversations: await conversations.countDocuments({ snapshotId: { $ne: null }, dueAt: null }),
    endedRuns: await endedRunsOf(analyses),
  };
}

/** Counts ended runs: the record of a snapshot whose Rules have all ended lists them in one text. */
async function endedRunsOf(analyses: Collection): Promise<number> {
  const runs = { $size: { $split: ['$rules', ' '] } };
  const counted = analyses.aggregate<{ runs: number }>([
    { $match: { endedAt: { $ne: null } } },
    { $group: { _id: null, runs: { $sum: runs } } },
  ]);
  return (await counted.next())?.runs ?? 0;
}

async function untilAnalysed(client: MongoClient, goal: Goal): Promise<number> {
  for (let polls = 1; ; polls += 1) {
    const { readyConversations, endedRuns } = await countsOf(client);
    if (readyConversations >= goal.readyConversations && endedRuns >= goal.endedRuns) return polls;
    await sleep(POLL_MS);
  }
}

async function readFindings({ gatewayUrl, apiKey, projectId }: StackFile): Promise<void> {
  const response = await fetch(`${gatewayUrl}/v1/projects/${projectId}/diagnostics/findings?limit=1`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  if (!response.ok) throw new Error(`Findings cannot be read: ${response.status}`);
  await response.arrayBuffer();
}

/** Bytes on disk of telemetry documents and indexes, by collection. */
async function diskBytes(client: MongoClient): Promise<Record<string, number>> {
  const db = client.db('clew_telemetry');
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const sizes = names.map(async (name) => {
    const [stats] = await db
      .collection(name)
      .aggregate<{ storageStats: { totalSize: number } }>([{ $collStats: { storageStats: {} } }])
      .toArray();
    return [name, stats?.storageStats.totalSize ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(sizes));
}

function grown(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([name, bytes]) => [name, bytes - (before[name] ?? 0)]));
}
