import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeBackfill } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { allText, startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { killAndAwaitRecovery, type Victim } from './support/chaos.ts';
import { shortenTransactions, usualTransactions, withMongo } from './support/database.ts';
import {
  backfillIn,
  importTaught,
  itemsOf,
  newGoal,
  extractionModel,
  requestBackfill,
  wordsOf,
} from './support/knowledge-model.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

/** Conversations to backfill: 10,000 in the long tier, with 20 kills. */
const CONVERSATION_COUNT = Number(process.env['CLEW_BACKFILL_CONVERSATIONS'] ?? 60);
const KILL_COUNT = Number(process.env['CLEW_BACKFILL_KILLS'] ?? 2);
const LATENCY_MS = 200;
/** Every n-th conversation repeats the statement of the previous one. */
const REPEATED_EVERY = 5;
const IMPORT_SIZE = 1_000;
const SETTLE_MS = CONVERSATION_COUNT * 600 + 300_000;
const SETTLE = { timeoutMs: SETTLE_MS, intervalMs: 200 };

/** Victims in their order: a service that is killed while it reads a page makes the backfill wait for its lease to end. */
const VICTIMS: readonly Victim[] = [
  { kind: 'app', name: 'jobs-worker' },
  { kind: 'server', name: 'rabbitmq' },
  { kind: 'app', name: 'knowledge-svc' },
];

let provider: ScriptedProvider;
/** Statements of the current project that the model was asked about. */
let askedAbout = new Set<string>();

beforeAll(async () => {
  const reply = extractionModel(undefined, (request) => {
    askedAbout.add(/Remember: .+/.exec(allText(request))?.[0] ?? '');
    return { delayMs: LATENCY_MS };
  });
  provider = await startProvider({ models: ['wise'], reply });
  await shortenTransactions();
});

afterAll(async () => {
  await usualTransactions();
  await provider.stop();
});

describe(`a backfill of ${CONVERSATION_COUNT} conversations`, () => {
  it(
    'makes the same items, none lost and none doubled, where service, worker and broker are killed under it',
    async () => {
      const [calm, shaken] = await Promise.all([taughtProject('calm'), taughtProject('shaken')]);
      const undisturbed = await backfill(calm);
      const disturbed = await backfill(shaken, killOneAfterTheOther);
      expect(await statements(shaken)).toEqual(await statements(calm));
      const repeated = Math.floor(CONVERSATION_COUNT / REPEATED_EVERY);
      for (const { ended } of [undisturbed, disturbed]) {
        expect(ended).toMatchObject({
          ...{ conversationsSeen: CONVERSATION_COUNT, conversationsPending: 0, conversationsFailed: 0 },
          ...{ itemsCreated: CONVERSATION_COUNT - repeated, itemsMerged: repeated, rejectedQuotes: 0 },
        });
      }
      const figures = { conversations: CONVERSATION_COUNT, kills: KILL_COUNT };
      const times = { undisturbedMs: undisturbed.ms, disturbedMs: disturbed.ms };
      process.stdout.write(`${JSON.stringify({ ...figures, ...times })}\n`);
    },
    SETTLE_MS * 3,
  );
});

/** Spreads the kills over the backfill, so that each one hits work in progress; the victims take turns. */
async function killOneAfterTheOther(isUnderWay: () => Promise<boolean>): Promise<void> {
  for (let kill = 0; kill < KILL_COUNT; kill += 1) {
    const share = Math.floor((CONVERSATION_COUNT * kill) / (KILL_COUNT + 1)) + 1;
    await eventually(() => expect(askedAbout.size).toBeGreaterThanOrEqual(Math.floor(share * 0.8)), SETTLE);
    expect({ kill, isUnderWay: await isUnderWay() }).toEqual({ kill, isUnderWay: true });
    await killAndAwaitRecovery(VICTIMS[kill % VICTIMS.length]!);
  }
}

async function taughtProject(name: string): Promise<TestProject> {
  const project = await createTestProject(name);
  const { status } = await project.call('/models/providers', { body: { name: 'loop', baseUrl: provider.url } });
  expect(status).toBe(201);
  for (let first = 0; first < CONVERSATION_COUNT; first += IMPORT_SIZE) {
    const count = Math.min(IMPORT_SIZE, CONVERSATION_COUNT - first);
    const taught = Array.from({ length: count }, (_, index) => [`chat-${first + index}`, taughtBy(first + index)]);
    await importTaught(project, Object.fromEntries(taught) as Record<string, string>);
  }
  await withMongo(async (connection) => {
    const conversations = connection.useDb('clew_telemetry').collection('conversations');
    await eventually(async () => {
      const filter = { projectId: project.id, readyThroughMs: { $gte: 0 } };
      expect(await conversations.countDocuments(filter)).toBe(CONVERSATION_COUNT);
    }, SETTLE);
  });
  return project;
}

function taughtBy(index: number): string {
  const isRepeated = index % REPEATED_EVERY === REPEATED_EVERY - 1;
  return wordsOf(String(isRepeated ? index - 1 : index));
}

/** Runs a backfill to its end. The work in `meanwhile` ends first. */
async function backfill(project: TestProject, meanwhile?: (isUnderWay: () => Promise<boolean>) => Promise<void>) {
  askedAbout = new Set();
  const goalId = await newGoal(project);
  const startedAt = Date.now();
  const window = { startMs: 0, endMs: startedAt + 86_400_000, maxConversations: 100_000 };
  const { status, body } = await requestBackfill(project, goalId, window);
  expect(status).toBe(202);
  const path = `/knowledge/goals/${goalId}/backfills/${body.backfillId}`;
  await meanwhile?.(async () => (await project.call<KnowledgeBackfill>(path)).body.endedAt === null);
  const ended = await backfillIn(project, goalId, { ...body, state: 'completed' }, SETTLE_MS);
  return { ended, ms: ended.endedAt! - startedAt };
}

/** Statements of the items of a project with their evidence, without values that depend on chance. */
async function statements(project: TestProject): Promise<string[]> {
  const items = await itemsOf(project);
  return items
    .map(({ content, status, title, kind, authority, evidence }) => {
      const rests = evidence.map(({ conversationId, messageIndex, quote, startChar, endChar }) =>
        [conversationId, messageIndex, quote, startChar, endChar].join(' '),
      );
      return JSON.stringify({ content, status, title, kind, authority, evidence: rests.toSorted() });
    })
    .toSorted();
}
