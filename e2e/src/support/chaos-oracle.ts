import { expect } from '@jest/globals';
import type { Conversation, Dataset, LearningGoal } from '@clew/contracts';
import { QUEUES, queueDepth, type QueueSpec } from '@clew/messaging';
import { eventually } from '@clew/testing';
import { LAST_INSTRUCTION, type ChaosTargets, type Sent } from './chaos-load.ts';
import {
  examplesOf,
  type ImportedConversation,
  type Said,
  type TracedConversation,
  type Wave,
} from './chaos-inputs.ts';
import { withMongo } from './database.ts';
import { allExamples, createTestDataset } from './datasets.ts';
import { itemsOf } from './knowledge-model.ts';
import { queuedMessages, withBroker } from './queues.ts';
import type { TestProject } from './test-project.ts';

const SETTLE = { timeoutMs: 600_000, intervalMs: 1_000 };
const BATCH_SIZE = 1_000;

/** Compares the final state of the system with the input. */
export async function expectAllOnce(targets: ChaosTargets, waves: readonly Wave[], sent: Sent): Promise<void> {
  const { project } = targets;
  await expectNothingWaits();
  await expectConversations(project, waves, sent);
  await expectKnowledge(targets, waves);
  await expectExamples(targets, waves);
}

/** Verifies that no queue, outbox or scheduled task has work left, and that nothing was given up. */
async function expectNothingWaits(): Promise<void> {
  await eventually(async () => expect(await queuedMessages()).toEqual({}), SETTLE);
  await withMongo(async (connection) => {
    const { databases } = await connection.getClient().db().admin().listDatabases({ nameOnly: true });
    for (const { name } of databases.filter((each) => each.name.startsWith('clew_'))) {
      const outbox = connection.useDb(name).collection('outbox');
      await eventually(
        async () =>
          expect({ name, unsent: await outbox.countDocuments({ state: { $ne: 'published' } }) }).toEqual({
            name,
            unsent: 0,
          }),
        SETTLE,
      );
    }
  });
  await withBroker(async (broker) => {
    for (const queue of Object.values<QueueSpec>(QUEUES).filter(({ retired }) => retired !== true)) {
      const { deadLetters } = await queueDepth(broker, queue);
      expect({ queue: queue.name, deadLetters }).toEqual({ queue: queue.name, deadLetters: 0 });
    }
  });
}

/** Verifies that exactly the acknowledged conversations exist, each with all of its messages in order. */
async function expectConversations(project: TestProject, waves: readonly Wave[], sent: Sent): Promise<void> {
  const all = waves.flatMap(({ traced, imported, stray }) => [...traced, ...imported, stray]);
  const byId = new Map(all.map((conversation) => [conversation.conversationId, conversation]));
  const isStray = new Set(waves.map(({ stray }) => stray.conversationId));
  const owed = all
    .map(({ conversationId }) => conversationId)
    .filter((id) => !isStray.has(id) || sent.acknowledgedStrays.has(id));
  const stored = await eventually(async () => {
    const ids = await readyIds(project);
    expect(owed.filter((id) => !ids.includes(id))).toEqual([]);
    return ids;
  }, SETTLE);
  expect(stored.filter((id) => !byId.has(id))).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
  for (const id of stored) {
    const { body } = await project.call<Conversation>(`/conversations/${id}`);
    expect({ id, said: saidIn(body) }).toEqual({ id, said: byId.get(id)?.said });
  }
  await expectScores(project, waves);
  await expectOccurrences(
    project,
    stored.map((id) => byId.get(id) as TracedConversation | ImportedConversation),
  );
}

async function readyIds(project: TestProject): Promise<string[]> {
  return await withMongo(async (connection) => {
    const conversations = connection.useDb('clew_telemetry').collection('conversations');
    const rows = await conversations.find({ projectId: project.id }).toArray();
    expect(rows.filter(({ readyThroughMs }) => typeof readyThroughMs !== 'number' || readyThroughMs < 0)).toEqual([]);
    return rows.map(({ conversationId }) => String(conversationId));
  });
}

function saidIn({ messages }: Conversation): Said[] {
  return messages.map(({ role, content, toolCalls = [] }) => ({
    ...{ role, content },
    calls: toolCalls.map(({ name, arguments: given }) => `${name} ${JSON.stringify(given)}`),
  }));
}

async function expectScores(project: TestProject, waves: readonly Wave[]): Promise<void> {
  for (const { imported } of waves) {
    for (const [index, { conversationId }] of imported.entries()) {
      const { body } = await project.call<Conversation>(`/conversations/${conversationId}`);
      expect({ conversationId, scores: body.scores.length }).toEqual({ conversationId, scores: index === 0 ? 1 : 0 });
    }
  }
}

/** Verifies one occurrence for each conversation whose tool fails, and none for others. */
async function expectOccurrences(
  project: TestProject,
  stored: readonly { conversationId: string; isFailing: boolean }[],
) {
  const failing = stored.filter(({ isFailing }) => isFailing).map(({ conversationId }) => conversationId);
  await eventually(
    () =>
      withMongo(async (connection) => {
        const occurrences = connection.useDb('clew_diagnostics').collection('occurrences');
        const rows = await occurrences.find({ projectId: project.id }).toArray();
        expect(rows.map(({ conversationId }) => String(conversationId)).toSorted()).toEqual(failing.toSorted());
        const counted = (await project.findings()).reduce((sum, { occurrenceCount }) => sum + occurrenceCount, 0);
        expect(counted).toBe(failing.length);
      }),
    SETTLE,
  );
}

/** Verifies one item for each statement, with the conversation that taught it as evidence. */
async function expectKnowledge({ project, goalId }: ChaosTargets, waves: readonly Wave[]): Promise<void> {
  const taught = waves
    .flatMap(({ imported }) => imported)
    .flatMap(({ taught: words, conversationId }) => (words === undefined ? [] : `${words} (${conversationId})`));
  await eventually(async () => {
    const items = await itemsOf(project);
    const learned = items.map(
      ({ content, evidence }) => `${content} (${evidence.map((each) => each.conversationId).join()})`,
    );
    expect(learned.toSorted()).toEqual(taught.toSorted());
  }, SETTLE);
  const { body } = await project.call<LearningGoal>(`/knowledge/goals/${goalId}`);
  expect(body.instruction).toBe(LAST_INSTRUCTION);
}

/** Verifies the Examples, and that their content id is that of a Dataset filled with the same Examples undisturbed. */
async function expectExamples({ project, datasetPath }: ChaosTargets, waves: readonly Wave[]): Promise<void> {
  const expected = examplesOf(waves);
  const found = await allExamples(project, datasetPath);
  const textOf = ({ payload, tags }: { payload: { input: unknown }; tags: readonly string[] }) =>
    `${(payload.input as { text: string }).text} ${tags.join()}`;
  expect(found.map(textOf).toSorted()).toEqual(expected.map(textOf).toSorted());
  const twin = await createTestDataset(project, { name: 'in peace' });
  for (let first = 0; first < expected.length; first += BATCH_SIZE) {
    const examples = expected.slice(first, first + BATCH_SIZE);
    const { status } = await project.call(`${twin.path}/examples/batch`, { body: { examples } });
    expect(status).toBe(201);
  }
  const [shaken, calm] = await Promise.all(
    [datasetPath, twin.path].map(async (path) => (await project.call<Dataset>(path)).body),
  );
  expect([shaken?.exampleCount, shaken?.contentId]).toEqual([expected.length, calm?.contentId]);
}
