import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CONVERSATION_FILTERS, CountedOfConversations } from '@clew/contracts';
import type { CursorKey } from '@clew/kernel';
import { MAX_COMPARED, nativeDb } from '@clew/persistence';
import { useTestEnvironment } from '@clew/testing';
import { profiled, unindexed, type ProfiledOperation } from '../test-support/profile.ts';
import { OTHER_PROJECT_ID, PROJECT_ID, STARTED_AT } from '../test-support/spans.ts';
import { useTestDatabase } from '../test-support/database.ts';
import { createConversationLists } from './conversation-lists.store.ts';
import {
  conversationKey,
  conversationModel,
  LIST_INDEXES,
  newConversation,
  type ConversationDocument,
} from './conversation.model.ts';
import { facetsOf } from './facets.ts';
import type { ConversationFilter } from './list-conditions.ts';
import { createReadyConversationStore } from './ready-conversations.store.ts';

const CONVERSATIONS = Number(process.env['CLEW_LONG_CONVERSATIONS'] ?? 4_000);
/** Combinations of filters, of the 4,096 that there are; all of them in the long tests. */
const COMBINATIONS = Number(process.env['CLEW_LONG_COMBINATIONS'] ?? 60);
const BATCH = 1_000;
const TIMEOUT_MS = 600_000;
const PAGE = 50;

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
  const agents = [`agent${pick(5, index, 2)}`];
  const models = [`model${pick(4, index, 3)}`];
  const userId = `user${pick(50, index, 4)}`;
  const messageCount = Math.max(1, Math.floor(1 / (random(index * 31 + 6) + 0.001)));
  const csat = pick(5, index, 7) + 1;
  const meaning = pick(20, index, 8) === 0 ? 'failure' : 'success';
  const tools = [`tool${pick(6, index, 9)}`];
  const scores = [
    { name: 'helpful', meaning },
    { name: 'csat', meaning: 'none' },
  ] as const;
  return {
    ...newConversation({ projectId, conversationId: `c${index}`, implicit: false }),
    _id: conversationKey(projectId, `c${index}`),
    ...{ startedAt, lastActivityAt: startedAt, touches: 1, assembledTouches: 1, dueAt: null, receivedAt: startedAt },
    listed: index % 10 !== 3,
    ...{ agents, models, userId, messageCount },
    facets: facetsOf({ agents, models, userId, tools, messageCount, scores }),
    scored: [{ name: 'csat', value: csat }],
    hasFinding: pick(10, index, 5) === 0,
    hasError: pick(15, index, 10) === 0,
    isReady: pick(8, index, 11) !== 0,
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

const documents = Array.from({ length: CONVERSATIONS }, (_, index) => conversation(index));

beforeAll(async () => {
  for (let start = 0; start < CONVERSATIONS; start += BATCH) {
    await model().collection.insertMany(documents.slice(start, start + BATCH) as never[], { ordered: false });
  }
}, TIMEOUT_MS);

const MIDDLE = STARTED_AT + 500_000;

/** Filter of the route, as a page may set it: its value, what it selects, and how an index holds it. */
interface Choice {
  filter: ConversationFilter;
  selects(document: ConversationDocument): boolean;
  /** Value of an array, or part of the conversation beside it in the index of such values, words apart. */
  held?: 'value' | 'word' | 'beside';
}

/** Choices of every filter that the route declares. */
const CHOICES: Readonly<Record<keyof typeof CONVERSATION_FILTERS, Choice[]>> = {
  startedAfter: [{ filter: { startedAfter: MIDDLE - 300_000 }, selects: (one) => one.startedAt >= MIDDLE - 300_000 }],
  startedBefore: [{ filter: { startedBefore: MIDDLE }, selects: (one) => one.startedAt < MIDDLE }],
  agent: [{ filter: { agent: 'agent1' }, selects: (one) => one.agents.includes('agent1'), held: 'value' }],
  model: [{ filter: { model: 'model1' }, selects: (one) => one.models.includes('model1'), held: 'value' }],
  userId: [{ filter: { userId: 'user7' }, selects: (one) => one.userId === 'user7', held: 'value' }],
  hasFinding: [true, false].map((hasFinding) => ({
    filter: { hasFinding },
    selects: (one) => one.hasFinding === hasFinding,
    held: 'beside',
  })),
  hasError: [true, false].map((hasError) => ({
    filter: { hasError },
    selects: (one) => one.hasError === hasError,
    held: 'beside',
  })),
  state: [
    { filter: { state: 'active' }, selects: (one) => !one.isReady, held: 'beside' },
    { filter: { state: 'ready' }, selects: (one) => one.isReady, held: 'beside' },
  ],
  tool: [{ filter: { tool: 'tool2' }, selects: (one) => one.facets.includes('tool:tool2'), held: 'value' }],
  minMessages: [
    { filter: { minMessages: 1 }, selects: () => true, held: 'beside' },
    { filter: { minMessages: 30 }, selects: (one) => one.messageCount >= 30, held: 'value' },
  ],
  score: [
    {
      filter: { score: { name: 'helpful', meaning: 'failure' } },
      selects: (one) => one.facets.includes('failure:helpful'),
      held: 'value',
    },
    {
      filter: { score: { name: 'csat', meaning: 'success', atLeast: 4 } },
      selects: (one) => one.scored.some(({ name, value }) => name === 'csat' && Number(value) >= 4),
      held: 'value',
    },
  ],
  q: [
    { filter: { q: 'hello' }, selects: (one) => one.terms.includes('hello'), held: 'word' },
    { filter: { q: 'word1' }, selects: (one) => one.terms.includes('word1'), held: 'word' },
  ],
};

/** Combinations of choices: none, each alone, and others, one of each filter. */
function combinations(): Choice[][] {
  const each = Object.values(CHOICES);
  const number = 2 ** each.length;
  const masks = Array.from({ length: COMBINATIONS }, (_, index) =>
    COMBINATIONS >= number ? index % number : Math.floor(random(index * 101 + 7) * number),
  );
  const combined = masks.map((mask, index) =>
    each.flatMap((choices, filter) => {
      const choice = choices[(index + filter) % choices.length];
      return (mask >> filter) % 2 === 1 && choice !== undefined ? [choice] : [];
    }),
  );
  return [[], ...each.flat().map((choice) => [choice]), ...combined];
}

const filterOf = (choices: readonly Choice[]): ConversationFilter =>
  Object.assign({}, ...choices.map(({ filter }) => filter));

const idsOf = (choices: readonly Choice[]): string[] =>
  documents
    .filter(({ projectId, listed }) => projectId === PROJECT_ID && listed)
    .filter((one) => choices.every(({ selects }) => selects(one)))
    .sort((left, right) => right.startedAt - left.startedAt || (left._id < right._id ? 1 : -1))
    .map(({ conversationId }) => conversationId);

/** Whether a list by these filters is answered within an index: by one value and what is beside it, or by one word. */
const isOfIndex = (choices: readonly Choice[]) => {
  const [words, values, beside] = (['word', 'value', 'beside'] as const).map(
    (held) => choices.filter((choice) => choice.held === held).length,
  ) as [number, number, number];
  const isByOne = words === 0 ? values < 2 : values + beside === 0;
  return isByOne && choices.every(({ filter }) => filter.score?.atLeast === undefined);
};

const found = (operations: readonly ProfiledOperation[]) => operations.filter(({ op }) => op === 'query').at(-1);

describe('the list of conversations', () => {
  it(
    'reads each combination of the filters of its route in the order of an index, and few documents',
    async () => {
      const lists = createConversationLists(database.current);
      const read: { choices: Choice[]; ids: string[]; at: number }[] = [];
      for (const choices of combinations()) {
        const operations = await profiled(
          database.current,
          async () => {
            const { items, next } = await lists.list(PROJECT_ID, filterOf(choices), { limit: PAGE });
            if (next !== undefined) await lists.list(PROJECT_ID, filterOf(choices), { limit: PAGE, after: next });
            read.push({ choices, ids: items.map(({ conversationId }) => conversationId), at: 0 });
          },
          'conversations',
        );
        expect([filterOf(choices), unindexed(operations)]).toEqual([filterOf(choices), []]);
        const { docsExamined = 0, nreturned = 0 } = found(operations) ?? {};
        const most = isOfIndex(choices) ? nreturned : MAX_COMPARED;
        expect([filterOf(choices), docsExamined]).toEqual([filterOf(choices), Math.min(docsExamined, most)]);
      }
      for (const { choices, ids } of read) {
        expect([filterOf(choices), ids]).toEqual([filterOf(choices), idsOf(choices).slice(0, PAGE)]);
      }
    },
    TIMEOUT_MS,
  );

  it(
    'shows each conversation once on a walk through its pages, whatever is filtered',
    async () => {
      const lists = createConversationLists(database.current);
      for (const choices of combinations().slice(0, 40)) {
        const walked: string[] = [];
        let after: CursorKey | undefined;
        do {
          const { items, next } = await lists.list(PROJECT_ID, filterOf(choices), { limit: 500, after });
          walked.push(...items.map(({ conversationId }) => conversationId));
          after = next;
        } while (after !== undefined);
        expect([filterOf(choices), walked]).toEqual([filterOf(choices), idsOf(choices)]);
      }
    },
    TIMEOUT_MS,
  );

  it('reads by the value that the fewest conversations have', async () => {
    const lists = createConversationLists(database.current);
    const filter = { q: 'hello word1500', agent: 'agent1', userId: 'user3', minMessages: 1 };
    const operations = await profiled(
      database.current,
      () => lists.list(PROJECT_ID, filter, { limit: PAGE }),
      'conversations',
    );
    const rare = documents.filter(({ projectId, terms }) => projectId === PROJECT_ID && terms.includes('word1500'));
    expect(found(operations)?.docsExamined).toBeLessThanOrEqual(rare.length);
  });

  it('reads by a flag that fewer conversations have than a word', async () => {
    const lists = createConversationLists(database.current);
    const filter = { q: 'hello', hasFinding: true };
    const flagged = documents.filter(({ projectId, listed, hasFinding }) => {
      return projectId === PROJECT_ID && listed && hasFinding;
    });
    const operations = await profiled(
      database.current,
      async () => {
        const { items } = await lists.list(PROJECT_ID, filter, { limit: 500 });
        expect(items.length).toBe(flagged.length);
      },
      'conversations',
    );
    expect(found(operations)?.docsExamined).toBeLessThanOrEqual(flagged.length);
  });
});

describe('counts of conversations', () => {
  const BY: CountedOfConversations[] = ['state', 'hasError', 'hasFinding'];

  it(
    'agree with the list for each combination of filters, and come from an index',
    async () => {
      const lists = createConversationLists(database.current);
      for (const choices of combinations()) {
        const operations = await profiled(
          database.current,
          async () => {
            const { total, counts } = await lists.count(PROJECT_ID, filterOf(choices), BY);
            const ids = new Set(idsOf(choices));
            const some = documents.filter(
              ({ projectId, conversationId }) => projectId === PROJECT_ID && ids.has(conversationId),
            );
            const numbers = [total, counts.hasError?.[0], counts.state?.[1], counts.hasFinding?.[1]];
            const exact = [
              some.length,
              some.filter(({ hasError }) => hasError).length,
              some.filter(({ isReady }) => !isReady).length,
              some.filter(({ hasFinding }) => !hasFinding).length,
            ];
            const counted = numbers.map((number, at) => (number?.atLeast === false ? number.count : exact[at]));
            expect([filterOf(choices), counted]).toEqual([filterOf(choices), exact]);
          },
          'conversations',
        );
        expect([filterOf(choices), unindexed(operations)]).toEqual([filterOf(choices), []]);
        const examined = operations.map(({ docsExamined = 0 }) => docsExamined);
        const isOfFlags = isOfIndex(choices) && choices.every(({ held }) => held !== 'word');
        const most = isOfFlags ? 0 : MAX_COMPARED;
        expect([filterOf(choices), Math.max(...examined)]).toEqual([
          filterOf(choices),
          Math.min(most, Math.max(...examined)),
        ]);
      }
    },
    TIMEOUT_MS,
  );
});

describe('the conversations that were ready in a window', () => {
  const LATER_PAGE: CursorKey = [MIDDLE, `${PROJECT_ID}:c`];

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

// Last, as it changes the documents.
describe('the index of words', () => {
  it('is not written when a flag of a conversation changes, or its number of messages', async () => {
    const { collection } = model();
    const writes = async (): Promise<number> => {
      const stats = await nativeDb(database.current.connection).command({
        ...{ collStats: collection.collectionName, indexDetails: true },
      });
      const details = stats['indexDetails'] as Record<string, { cursor: Record<string, number> }>;
      const { cursor } = details[LIST_INDEXES.terms]!;
      return cursor['insert calls']! + cursor['remove calls']!;
    };
    const of = { projectId: PROJECT_ID, listed: true };
    const before = await writes();
    await collection.updateMany(of, [{ $set: { hasFinding: { $not: '$hasFinding' }, messageCount: 7 } }]);
    await collection.updateMany(of, [{ $set: { isReady: { $not: '$isReady' }, hasError: { $not: '$hasError' } } }]);
    expect(await writes()).toBe(before);
    await collection.updateOne(of, { $addToSet: { terms: 'another' } });
    expect(await writes()).toBe(before + 1);
  });
});
