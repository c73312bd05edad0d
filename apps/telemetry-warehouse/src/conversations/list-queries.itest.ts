import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CursorKey } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { profiled, unindexed } from '../test-support/profile.ts';
import { OTHER_PROJECT_ID, PROJECT_ID, STARTED_AT } from '../test-support/spans.ts';
import { useTestDatabase } from '../test-support/database.ts';
import {
  conversationKey,
  conversationModel,
  newConversation,
  type ConversationDocument,
} from './conversation.model.ts';
import { createConversationStore, type ConversationFilter } from './conversations.store.ts';
import { createReadyConversationStore } from './ready-conversations.store.ts';

const CONVERSATIONS = Number(process.env['CLEW_LONG_CONVERSATIONS'] ?? 4_000);
const BATCH = 1_000;
const TIMEOUT_MS = 600_000;
const PAGE = 50;
/** Limit for combined filters: the index of one filter is read, and the others are checked on the documents found. */
const MAX_EXAMINED_PER_SHOWN = 40;

const database = useTestDatabase(useTestEnvironment(), { keepBetweenTests: true });
const model = () => conversationModel(database.current.connection);

/** Pseudorandom number in [0, 1), always the same for the same seed. */
function random(seed: number): number {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 12)) >>> 0) / 2 ** 32;
}

const pick = (count: number, index: number, salt: number) => Math.floor(random(index * 31 + salt) * count);

function conversation(index: number): ConversationDocument {
  // One in twenty belongs to another project, and one in ten is not listed.
  const projectId = index % 20 === 0 ? OTHER_PROJECT_ID : PROJECT_ID;
  const startedAt = STARTED_AT + pick(1_000_000, index, 1);
  const words = Array.from({ length: 12 }, (_, word) => `word${Math.floor(random(index * 17 + word) ** 2 * 2_000)}`);
  return {
    ...newConversation({ projectId, conversationId: `c${index}`, implicit: false }),
    _id: conversationKey(projectId, `c${index}`),
    ...{ startedAt, lastActivityAt: startedAt, touches: 1, assembledTouches: 1, dueAt: null, receivedAt: startedAt },
    listed: index % 10 !== 3,
    agents: [`agent${pick(5, index, 2)}`],
    models: [`model${pick(4, index, 3)}`],
    userId: `user${pick(50, index, 4)}`,
    hasFinding: pick(10, index, 5) === 0,
    terms: [...new Set(['hello', ...words])],
    ...(index % 3 === 0 ? {} : readyAt(startedAt)),
  };
}

/** Ready state of a conversation; two of three conversations have one. */
function readyAt(startedAt: number): Pick<ConversationDocument, 'ready' | 'readyThroughMs'> {
  const hashes = { contentHash: 'said', messagesHash: 'said' };
  const ready = { snapshotId: 'snapshot', ...hashes, revision: 1, startedAt, messageCount: 1, agents: [] };
  return { ready, readyThroughMs: startedAt };
}

beforeAll(async () => {
  for (let start = 0; start < CONVERSATIONS; start += BATCH) {
    await model().collection.insertMany(
      Array.from({ length: BATCH }, (_, index) => conversation(start + index)) as never[],
      { ordered: false },
    );
  }
}, TIMEOUT_MS);

const MIDDLE = STARTED_AT + 500_000;
const SINGLE: [string, ConversationFilter][] = [
  ['no filter', {}],
  ['agent', { agent: 'agent1' }],
  ['model', { model: 'model1' }],
  ['userId', { userId: 'user7' }],
  ['hasFinding', { hasFinding: true }],
  ['hasFinding: false', { hasFinding: false }],
  ['a word of all', { q: 'hello' }],
  ['a rare word', { q: 'word1500' }],
  ['a time range', { startedAfter: MIDDLE - 200_000, startedBefore: MIDDLE }],
];

const COMBINED: [string, ConversationFilter][] = [
  ['agent and time', { agent: 'agent1', startedAfter: MIDDLE }],
  ['agent and model', { agent: 'agent1', model: 'model2' }],
  ['user and Findings', { userId: 'user7', hasFinding: true }],
  ['agent and Findings', { agent: 'agent2', hasFinding: true }],
  ['a frequent and a rare word', { q: 'hello word1500' }],
  ['two frequent words', { q: 'word1 hello' }],
  ['word, agent and user', { q: 'word3', agent: 'agent1', userId: 'user9' }],
  [
    'everything',
    { q: 'hello', agent: 'agent1', model: 'model1', userId: 'user3', hasFinding: false, startedBefore: MIDDLE },
  ],
];

const LATER_PAGE: CursorKey = [MIDDLE, `${PROJECT_ID}:c`];

/** Database operations for one page of the list. */
async function listed(filter: ConversationFilter, after: CursorKey | undefined) {
  const store = createConversationStore(database.current);
  const operations = await profiled(
    database.current,
    () => store.list(PROJECT_ID, filter, { limit: PAGE, after }),
    'conversations',
  );
  expect(unindexed(operations)).toEqual([]);
  const [find, ...more] = operations.filter(({ op }) => op === 'query');
  expect([more, find?.planSummary]).toEqual([[], expect.stringContaining('IXSCAN')]);
  const { docsExamined = 0, keysExamined = 0, nreturned = 0 } = find ?? {};
  return { docsExamined, keysExamined, nreturned };
}

describe.each([
  ['the first page', undefined],
  ['a later page', LATER_PAGE],
])('%s of the list', (_page, after) => {
  it.each(SINGLE)('by %s reads no document that it does not show', async (_name, filter) => {
    const { docsExamined, keysExamined, nreturned } = await listed(filter, after);
    expect(docsExamined).toBe(nreturned);
    expect(keysExamined).toBeLessThanOrEqual(nreturned + 2);
    expect(nreturned).toBeGreaterThan(0);
  });

  it.each(COMBINED)('by %s reads few documents that it does not show', async (_name, filter) => {
    const { docsExamined } = await listed(filter, after);
    expect(docsExamined).toBeLessThanOrEqual(PAGE * MAX_EXAMINED_PER_SHOWN);
  });
});

describe('a word', () => {
  it('is counted without reading documents', async () => {
    const store = createConversationStore(database.current);
    const page = { limit: PAGE, after: undefined };
    const operations = await profiled(database.current, () => store.list(PROJECT_ID, { q: 'hello word1' }, page));
    const counts = operations.filter(({ command }) => 'aggregate' in command);
    expect(counts.map(({ docsExamined }) => docsExamined)).toEqual([0, 0]);
  });
});

describe('the conversations that were ready in a window', () => {
  it.each([
    ['the first page', undefined, 'oldest'],
    ['a later page', LATER_PAGE, 'oldest'],
    ['the latest ones', undefined, 'latest'],
    ['a later page of the latest ones', LATER_PAGE, 'latest'],
  ] as const)('are read from an index, and nothing but those that are shown: %s', async (_page, after, order) => {
    const store = createReadyConversationStore(database.current);
    const window = { from: MIDDLE - 200_000, to: MIDDLE + 200_000, order };
    const operations = await profiled(
      database.current,
      () => store.list(PROJECT_ID, window, { limit: PAGE, after }),
      'conversations',
    );
    expect(unindexed(operations)).toEqual([]);
    expect(operations).toMatchObject([{ docsExamined: PAGE + 1, nreturned: PAGE + 1 }]);
    expect(operations[0]?.keysExamined).toBeLessThanOrEqual(PAGE + 3);
  });
});
