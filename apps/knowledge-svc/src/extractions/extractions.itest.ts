import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  conversationReady,
  type ConversationSnapshot,
  type ItemRevision,
  type KnowledgeBackfill,
  type KnowledgeItem,
  type RequestedKnowledgeBackfill,
} from '@clew/contracts';
import { newId } from '@clew/kernel';
import { QUEUES, SHARES } from '@clew/messaging';
import { eventually, threadTimeOf, useTestEnvironment } from '@clew/testing';
import {
  itemIn,
  PATIENCE_MS,
  readOutcome,
  startTestService,
  type Command,
  type TestService,
} from '../test-support/service.ts';
import { readyOf, SAID_AT, snapshotOf, TRACE_ID, type Said } from '../test-support/warehouse.ts';
import { extractionModel } from './extraction.model.ts';

const environment = useTestEnvironment();
let service: TestService;
let projectId: string;

beforeAll(async () => {
  service = await startTestService(environment);
  service.start();
});

afterAll(() => service.stop());

beforeEach(() => {
  projectId = newId('prj');
});

/** Poll interval of a representative row. */
const LOOK_AGAIN_MS = 15_000;
/** Commands of one project that one worker has in hand at most. */
const IN_HAND = QUEUES.extraction.prefetch / SHARES;
const SLOWLY = { intervalMs: 200 };
const WINDOW = { startMs: SAID_AT, endMs: SAID_AT + 86_400_000 };

/** Stores conversations in the warehouse, with last activities one second apart. */
function conversations(...said: readonly (readonly Said[])[]): ConversationSnapshot[] {
  const snapshots = said.map((messages, index) =>
    snapshotOf(projectId, `chat ${index}`, messages, { throughMs: SAID_AT + 1_000 * (index + 1) }),
  );
  know(snapshots);
  service.warehouse.ready.set(projectId, snapshots.map(readyOf));
  return snapshots;
}

function know(snapshots: readonly ConversationSnapshot[]): void {
  for (const snapshot of snapshots) service.warehouse.snapshots.set(snapshot.snapshotId, snapshot);
}

async function backfill(goalId: string, { key, ...body }: { key?: string; maxConversations?: number } = {}) {
  const { status, body: answer } = await service.call<RequestedKnowledgeBackfill & { code?: string }>({
    ...{ method: 'POST', projectId, path: `/goals/${goalId}/backfills`, body: { ...WINDOW, ...body } },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
  return { status, ...answer };
}

async function readBackfill(goalId: string, backfillId: string): Promise<KnowledgeBackfill> {
  const path = `/goals/${goalId}/backfills/${backfillId}`;
  return (await service.call<KnowledgeBackfill>({ projectId, path })).body;
}

const inState = (goalId: string, backfillId: string, state: KnowledgeBackfill['state']) =>
  eventually(async () => {
    const found = await readBackfill(goalId, backfillId);
    expect(found.state).toBe(state);
    return found;
  });

/** Waits for that many commands. Those of one moment come in the order of their conversations. */
function commandsOnce(count: number): Promise<Command[]> {
  return eventually(async () => {
    const sent = await service.commands(projectId);
    expect(sent).toHaveLength(count);
    return sent.toSorted(
      (one, other) =>
        one.occurredAt - other.occurredAt ||
        one.data.round - other.data.round ||
        one.data.conversationId.localeCompare(other.data.conversationId),
    );
  });
}

async function items(query = ''): Promise<KnowledgeItem[]> {
  return (await service.call<{ items: KnowledgeItem[] }>({ projectId, path: `/items?${query}` })).body.items;
}

async function tellReady(...snapshots: ConversationSnapshot[]): Promise<void> {
  await service.publisher.publish(conversationReady, {
    ...{
      id: newId('evt'),
      type: conversationReady.type,
      version: conversationReady.version,
      occurredAt: service.clock.now(),
    },
    ...{ projectId, requestId: null },
    data: { conversations: snapshots.map((snapshot) => ({ ...readyOf(snapshot), traceIds: [TRACE_ID] })) },
  });
}

const switchOn = () =>
  service.call({ method: 'PATCH', projectId, path: '/settings', body: { extractionEnabled: true } });

describe('messages that are hard to read', () => {
  it('do not hold what another project reads while their quotes are checked', async () => {
    const goal = await service.newGoal(projectId);
    const [first] = conversations(
      ['\n', ' \n', '\\', '"', '! '].flatMap((piece) => [
        { content: `Deliveries come on Tuesday${piece.repeat(8_000)}` },
        { content: 'Noted' },
      ]),
    );
    await backfill(goal.id);
    const [command] = await commandsOnce(1);
    const found = first!.messages
      .filter(({ role }) => role === 'user')
      .map(({ index, traceId, spanId }) => {
        const quote = 'Deliveries come on Tuesday';
        return { traceId, spanId, messageIndex: index, quote, startChar: 0, endChar: quote.length };
      });
    await service.complete(
      command!,
      readOutcome([{ ...itemIn(first!, 'Deliveries come on Tuesday'), evidence: found }]),
    );
    const others = newId('prj');
    let longestMs = 0;
    await eventually(
      async () => {
        // Processor time of this thread: all its work while the list waited.
        longestMs = Math.max(longestMs, await threadTimeOf(() => service.call({ projectId: others, path: '/items' })));
        expect(await items(`goalId=${goal.id}`)).toHaveLength(1);
      },
      { timeoutMs: 100_000, ...SLOWLY },
    );
    expect(longestMs).toBeLessThan(1_000);
  }, 120_000);
});

describe('a backfill of Knowledge', () => {
  it('is 202, has each conversation read once, and counts what comes of it', async () => {
    const goal = await service.newGoal(projectId);
    const [first, second] = conversations(
      [{ content: 'Deliveries come on Tuesday' }, { content: 'Noted' }],
      [{ content: 'Invoices go to Anna' }],
      [{ content: 'Deliveries come on Tuesday' }],
      [{ content: 'Nothing to learn' }],
    );
    const asked = await backfill(goal.id);
    expect(asked).toEqual({
      status: 202,
      backfillId: expect.stringMatching(/^kbfill_/),
      scheduled: true,
      maxConversations: 10_000,
    });
    const sent = await commandsOnce(4);
    expect(sent[0]?.data).toMatchObject({
      ...{ goalId: goal.id, goalRevision: 1, conversationId: 'chat 0', snapshotId: first!.snapshotId, round: 1 },
      ...{ instruction: goal.instruction, model: 'acme/best', alreadyRead: '', minNewTokens: 0 },
    });
    const found = itemIn(first!, 'Deliveries come on Tuesday');
    for (const command of sent) {
      const some =
        command.data.conversationId === 'chat 1'
          ? [itemIn(second!, 'Invoices go to Anna')]
          : command.data.conversationId === 'chat 3'
            ? []
            : [found];
      await service.complete(command, readOutcome(some));
      await service.complete(command, readOutcome(some));
    }
    expect(await inState(goal.id, asked.backfillId, 'completed')).toMatchObject({
      ...{ pagesDone: 2, conversationsSeen: 4, conversationsPending: 0, conversationsFailed: 0 },
      ...{ itemsCreated: 2, itemsMerged: 1, rejectedQuotes: 0, endedAt: service.clock.now() },
    });
    const kept = await items(`goalId=${goal.id}`);
    expect(kept.map(({ content }) => content).toSorted()).toEqual([
      'Deliveries come on Tuesday',
      'Invoices go to Anna',
    ]);
    const merged = kept.find(({ content }) => content.startsWith('Deliveries'));
    expect(new Set(merged?.evidence.map(({ conversationId }) => conversationId))).toEqual(
      new Set(['chat 0', 'chat 2']),
    );
    const read = await service.call({ projectId, path: `/goals/${goal.id}` });
    expect(read.body).toMatchObject({ counts: { activeItems: 2, archivedItems: 0 } });
    const again = await backfill(goal.id);
    expect(await inState(goal.id, again.backfillId, 'completed')).toMatchObject({
      conversationsSeen: 4,
      itemsCreated: 0,
    });
    expect(await service.commands(projectId)).toHaveLength(4);
  });

  it('asked for 50 times at once with one key is one, with the bound of the first', async () => {
    const goal = await service.newGoal(projectId);
    conversations([{ content: 'a' }]);
    const all = await Promise.all(Array.from({ length: 50 }, () => backfill(goal.id, { key: 'k' })));
    expect(new Set(all.map(({ backfillId }) => backfillId)).size).toBe(1);
    expect((await backfill(goal.id, { key: 'k', maxConversations: 5 })).maxConversations).toBe(10_000);
    await commandsOnce(1);
    const { body } = await service.call<{ backfills: unknown[] }>({ projectId, path: `/goals/${goal.id}/backfills` });
    expect(body.backfills).toHaveLength(1);
  });

  it('takes no more conversations than its bound, and a cancelled one has none read any more', async () => {
    const goal = await service.newGoal(projectId);
    conversations(...Array.from({ length: 5 }, (_, index) => [{ content: `${index}` }]));
    const { backfillId } = await backfill(goal.id, { maxConversations: 4 });
    await commandsOnce(4);
    const path = `/goals/${goal.id}/backfills/${backfillId}/cancel`;
    for (let time = 0; time < 2; time += 1) {
      const cancelled = await service.call({ method: 'POST', projectId, path });
      expect(cancelled).toMatchObject({ status: 200, body: { state: 'cancelled', conversationsSeen: 4 } });
    }
  });

  it.each([
    ['a window that ends as it begins', { endMs: SAID_AT }],
    ['a bound of 0', { maxConversations: 0 }],
    ['a bound of 100,001', { maxConversations: 100_001 }],
    ['a text for a time', { startMs: 'yesterday' }],
  ])('with %s is 400', async (_name, body) => {
    const goal = await service.newGoal(projectId);
    expect((await backfill(goal.id, body as object)).status).toBe(400);
  });

  it('of an unknown goal is 404, of a paused or archived one 409, of a model that is away 409 MODEL_UNAVAILABLE', async () => {
    expect((await backfill(newId('goal'))).status).toBe(404);
    for (const status of ['paused', 'archived']) {
      const { id } = await service.newGoal(projectId);
      await service.call({ method: 'PATCH', projectId, path: `/goals/${id}`, body: { status } });
      expect(await backfill(id)).toMatchObject({ status: 409, code: 'CONFLICT' });
    }
    service.modelRuntime.reasons.set('acme/gone', 'provider_unreachable');
    const { id } = await service.newGoal(projectId, { model: 'acme/gone' });
    expect(await backfill(id)).toMatchObject({ status: 409, code: 'MODEL_UNAVAILABLE' });
  });
});

describe('automatic extraction', () => {
  it('reads nothing while it is off, and from its switching on for each active goal, patiently', async () => {
    const goal = await service.newGoal(projectId);
    const early = snapshotOf(projectId, 'early', [{ content: 'early' }], { throughMs: SAID_AT - 1 });
    know([early]);
    await tellReady(early);
    await switchOn();
    const later = snapshotOf(projectId, 'later', [{ content: 'later' }], { throughMs: service.clock.now() + 1 });
    know([later]);
    await tellReady(early, later);
    const [command] = await commandsOnce(1);
    expect(command?.data).toMatchObject({ goalId: goal.id, conversationId: 'later', minNewTokens: 2_000 });
    await service.complete(command!, { status: 'waiting', newTokens: 10 });
    service.clock.advance(PATIENCE_MS);
    const [, second] = await commandsOnce(2);
    expect(second?.data).toMatchObject({ conversationId: 'later', round: 2, minNewTokens: 0, alreadyRead: '' });
    await service.complete(second!, readOutcome([]));
    const more = snapshotOf(projectId, 'later', [{ content: 'later' }, { content: 'more' }], {
      ...{ revision: 2, throughMs: service.clock.now() + 2 },
    });
    know([more]);
    await eventually(async () => {
      await tellReady(more);
      expect(await service.commands(projectId)).toHaveLength(3);
    });
    const [, , third] = await commandsOnce(3);
    expect(third?.data).toMatchObject({ snapshotId: more.snapshotId, alreadyRead: 'MTIzNDU2Nzg=' });
  });

  it('names the model that embeds, asked for once for all that is due together; a runtime that cannot tell keeps nothing', async () => {
    const goal = await service.newGoal(projectId);
    await service.newGoal(projectId, { name: 'More facts' });
    conversations([{ content: 'One thing' }], [{ content: 'Another thing' }]);
    service.modelRuntime.embeddingModel = 'self/minilm';
    await backfill(goal.id, { key: 'with' });
    const sent = await commandsOnce(2);
    expect(sent.map(({ data }) => data.embeddingModel)).toEqual(['self/minilm', 'self/minilm']);
    expect(service.modelRuntime.askedToEmbed.filter((asked) => asked === projectId)).toHaveLength(1);

    projectId = newId('prj');
    const other = await service.newGoal(projectId);
    conversations([{ content: 'One thing' }]);
    service.modelRuntime.isAway = 'embedding';
    await backfill(other.id);
    const [without] = await commandsOnce(1);
    expect(without?.data.embeddingModel).toBeNull();
    service.modelRuntime.isAway = false;
    service.modelRuntime.embeddingModel = null;
  });

  it('waits for a model that is away, and catches up when it is back', async () => {
    service.modelRuntime.reasons.set('acme/later', 'provider_unreachable');
    await service.newGoal(projectId, { model: 'acme/later' });
    await switchOn();
    const said = snapshotOf(projectId, 'c', [{ content: 'x' }], { throughMs: service.clock.now() + 1 });
    know([said]);
    await tellReady(said);
    service.modelRuntime.reasons.set('acme/later', null);
    service.clock.advance(LOOK_AGAIN_MS);
    await commandsOnce(1);
  });

  it('looks at one of what waits, and hands out as much of it as workers have room for', async () => {
    service.modelRuntime.reasons.set('acme/busy', 'provider_unreachable');
    await service.newGoal(projectId, { model: 'acme/busy' });
    await switchOn();
    const said = Array.from({ length: IN_HAND + 50 }, (_, index) =>
      snapshotOf(projectId, `c ${index}`, [{ content: `x ${index}` }], { throughMs: service.clock.now() + 1 }),
    );
    know(said);
    for (let from = 0; from < said.length; from += 100) await tellReady(...said.slice(from, from + 100));
    const held = async () =>
      await extractionModel(service.database.connection).find({ projectId, state: 'held' }).lean();
    await eventually(async () => expect(await held()).toHaveLength(said.length));
    await eventually(async () => {
      service.clock.advance(LOOK_AGAIN_MS);
      const soon = (await held()).filter(({ dueAt }) => Number(dueAt) < service.clock.now() + 10 * LOOK_AGAIN_MS);
      expect(soon).toHaveLength(1);
    }, SLOWLY);
    service.modelRuntime.reasons.set('acme/busy', null);
    service.clock.advance(LOOK_AGAIN_MS);
    const sent = await commandsOnce(IN_HAND);
    await eventually(async () => expect(await held()).toHaveLength(50));
    for (const command of sent.slice(0, 10)) await service.complete(command, readOutcome([]));
    await commandsOnce(IN_HAND + 10);
    await eventually(async () => expect(await held()).toHaveLength(40));
  }, 120_000);
});

describe('what waits for workers', () => {
  /** Makes a goal in a new project, with that many conversations to extract from. */
  async function waitingProject(count: number) {
    projectId = newId('prj');
    const goal = await service.newGoal(projectId);
    conversations(...Array.from({ length: count }, (_, index) => [{ content: `${index}` }]));
    const { backfillId } = await backfill(goal.id);
    return { projectId, goalId: goal.id, backfillId };
  }

  const commandsOf = (of: { projectId: string }) => service.commands(of.projectId);
  const late = { status: 'later', reason: 'late', retryAfterMs: null, isBudget: false, isTimeout: true } as const;

  it('is handed out up to a share of each project, says its place, and goes on with each answer', async () => {
    const many = await waitingProject(IN_HAND + 5);
    await eventually(async () => expect(await commandsOf(many)).toHaveLength(IN_HAND));
    const few = await waitingProject(1);
    await eventually(async () => expect(await commandsOf(few)).toHaveLength(1));
    projectId = many.projectId;
    await eventually(async () => {
      const { waiting } = await readBackfill(many.goalId, many.backfillId);
      expect(waiting).toEqual({ reason: 'places', position: 1, since: expect.any(Number) });
    });
    const goal = await service.call({ projectId, path: `/goals/${many.goalId}` });
    expect(goal.body).toMatchObject({ waiting: { reason: 'places', position: 1 } });
    const [first] = await commandsOf(many);
    await service.complete(first!, readOutcome([]));
    await eventually(async () => expect(await commandsOf(many)).toHaveLength(IN_HAND + 1));
  });

  it('is not asked for while a provider does not answer, loses no attempts, and goes on once it answers', async () => {
    const of = await waitingProject(IN_HAND + 10);
    await eventually(async () => expect(await commandsOf(of)).toHaveLength(IN_HAND));
    for (const command of await commandsOf(of)) await service.complete(command, late, 0);
    await eventually(async () => {
      const { waiting } = await readBackfill(of.goalId, of.backfillId);
      expect(waiting).toMatchObject({ reason: 'provider' });
    }, SLOWLY);
    const held = await extractionModel(service.database.connection).find({ projectId, state: 'held' });
    expect(held.map(({ failures }) => failures)).toEqual(held.map(() => 0));
    const before = (await commandsOf(of)).length;
    // A time-out that is taken after the clock advances would keep the circuit open for longer.
    await eventually(async () => {
      const asked = await extractionModel(service.database.connection).countDocuments({ projectId, state: 'asked' });
      expect(asked).toBe(before - IN_HAND);
    }, SLOWLY);
    service.clock.advance(61_000);
    await eventually(async () => expect(await commandsOf(of)).toHaveLength(before + 1), SLOWLY);
    const tried = (await commandsOf(of)).at(-1)!;
    await service.complete(tried, readOutcome([]));
    await eventually(async () => expect((await commandsOf(of)).length).toBeGreaterThan(before + 1), SLOWLY);
  }, 60_000);

  it('that found no place comes again, however often, and that is no failure', async () => {
    const of = await waitingProject(1);
    const untried = { status: 'later', reason: 'none', retryAfterMs: 0, isBudget: false, isUntried: true } as const;
    for (let round = 1; round <= 8; round += 1) {
      await eventually(async () => expect(await commandsOf(of)).toHaveLength(round));
      await service.complete((await commandsOf(of)).at(-1)!, untried);
    }
    await eventually(async () => expect(await commandsOf(of)).toHaveLength(9));
    const [row] = await extractionModel(service.database.connection).find({ projectId: of.projectId });
    expect(row).toMatchObject({ state: 'asked', failures: 0 });
  }, 60_000);
});

describe('what a worker has read', () => {
  /** Extracts from one conversation for a new goal, with the given result. */
  async function readOf(
    said: readonly Said[],
    itemsOf: (snapshot: ConversationSnapshot) => Parameters<typeof readOutcome>[0],
  ) {
    const goal = await service.newGoal(projectId);
    const [snapshot] = conversations(said);
    const { backfillId } = await backfill(goal.id);
    const [command] = await commandsOnce(1);
    await service.complete(command!, readOutcome(itemsOf(snapshot!)));
    return { goal, progress: await inState(goal.id, backfillId, 'completed') };
  }

  it.each([
    ['at another message', (one: { messageIndex: number }) => ({ ...one, messageIndex: 1 })],
    ['at another place', (one: { startChar: number; endChar: number }) => ({ ...one, startChar: 1, endChar: 27 })],
    ['in other words', (one: { quote: string }) => ({ ...one, quote: one.quote.replace('T', 't') })],
  ])('makes no item of a quote that stands %s', async (_name, moved) => {
    const { progress } = await readOf(
      [{ content: 'Deliveries come on Tuesday.' }, { content: 'Deliveries come on Wednesday.' }],
      (snapshot) => {
        const item = itemIn(snapshot, 'Deliveries come on Tuesday');
        return [{ ...item, evidence: item.evidence.map((one) => ({ ...one, ...moved(one) })) }];
      },
    );
    expect(progress).toMatchObject({ itemsCreated: 0, rejectedQuotes: 1, rejected: { quote_not_found: 1 } });
    expect(await items()).toEqual([]);
  });

  it('counts what workers and its own check rejected by reason', async () => {
    const goal = await service.newGoal(projectId);
    const [first] = conversations([{ content: 'Deliveries come on Tuesday' }], [{ content: 'Nothing to learn' }]);
    const { backfillId } = await backfill(goal.id);
    const [one, other] = await commandsOnce(2);
    const item = itemIn(first!, 'Deliveries come on Tuesday');
    const moved = { ...item, evidence: item.evidence.map((each) => ({ ...each, startChar: 1, endChar: 27 })) };
    const further = { ...item, evidence: item.evidence.map((each) => ({ ...each, messageIndex: 7 })) };
    const unsupported = { ...item, content: 'Deliveries come on Monday at 9' };
    const items = [item, moved, further, unsupported];
    await service.complete(one!, readOutcome(items, { quote_not_found: 2, tainted: 1 }));
    await service.complete(other!, readOutcome([], { quote_not_found: 1, not_entailed: 4 }));
    expect(await inState(goal.id, backfillId, 'completed')).toMatchObject({
      ...{ itemsCreated: 1, rejectedQuotes: 11 },
      rejected: { quote_not_found: 4, tainted: 1, not_entailed: 4, unknown_message: 1, not_supported: 1 },
    });
  });

  it.each([
    ['a system prompt', { role: 'system' as const }],
    ['retrieval', { role: 'tool' as const, origin: 'retrieved' as const }],
    ['recalled knowledge', { role: 'user' as const, origin: 'recalled' as const }],
  ])('makes no item that rests on %s alone', async (_name, from) => {
    await readOf([{ content: 'Refunds take nine days', ...from }], (snapshot) => [
      itemIn(snapshot, 'Refunds take nine days'),
    ]);
    expect(await items()).toEqual([]);
  });

  it('that a model relates to an item in other words replaces it, or adds its quote to it, as it was compared', async () => {
    const goal = await service.newGoal(projectId);
    const [first, second, third] = conversations(
      [{ content: 'Anna lives in Porto with her sister' }],
      [{ content: 'I have moved, my new home is Lisbon' }],
      [{ content: 'Ich wohne jetzt in Lisbon' }],
    );
    await backfill(goal.id);
    const [one, two, three] = await commandsOnce(3);
    await service.complete(one!, readOutcome([itemIn(first!, 'Anna lives in Porto with her sister')]));
    const [older] = await eventually(async () => {
      const found = await items();
      expect(found).toHaveLength(1);
      return found;
    });
    const relatedTo = (itemId: string, revision: number, relation: 'same' | 'supersedes') => ({
      ...{ judged: true as const, relations: [{ itemId, revision, relation }] },
    });
    const moved = itemIn(second!, 'my new home is Lisbon', relatedTo(older!.id, 1, 'supersedes'));
    await service.complete(two!, readOutcome([moved]));
    const newer = await eventually(async () => {
      const [found] = await items('status=active');
      expect(found).toMatchObject({ content: 'my new home is Lisbon', supersedes: older!.id });
      return found!;
    });
    // The first item has changed since it was compared, so that its relation does not count any more.
    const again = itemIn(third!, 'Ich wohne jetzt in Lisbon', {
      judged: true,
      relations: [
        { itemId: older!.id, revision: 1, relation: 'supersedes' },
        { itemId: newer.id, revision: newer.revision, relation: 'same' },
      ],
    });
    await service.complete(three!, readOutcome([again]));
    await eventually(async () => {
      const [found, ...others] = await items('status=active');
      expect({ others, evidence: found?.evidence.map(({ conversationId }) => conversationId) }).toEqual({
        ...{ others: [], evidence: ['chat 1', 'chat 2'] },
      });
    });
  });

  it('that a model says replaces an item ends it, which setting the old one active undoes', async () => {
    const goal = await service.newGoal(projectId);
    const [first, second] = conversations(
      [{ content: 'The refund limit is 50 euros' }],
      [{ content: 'The refund limit is 80 euros' }],
    );
    await backfill(goal.id);
    const [one, other] = await commandsOnce(2);
    await service.complete(one!, readOutcome([itemIn(first!, 'The refund limit is 50 euros')]));
    const [first50] = await eventually(async () => {
      const found = await items();
      expect(found).toHaveLength(1);
      return found;
    });
    const relations = [{ itemId: first50!.id, revision: 1, relation: 'supersedes' as const }];
    await service.complete(other!, readOutcome([itemIn(second!, 'The refund limit is 80 euros', { relations })]));
    const [newer] = await eventually(async () => {
      const found = await items();
      expect(found).toMatchObject([{ content: 'The refund limit is 80 euros' }]);
      return found;
    });
    // The replaced item leaves the list, and can be read.
    const [older] = await items('status=archived');
    expect(newer).toMatchObject({ status: 'active', supersedes: older!.id, supersededBy: null });
    expect(older).toMatchObject({ status: 'archived', supersededBy: newer!.id, heldUntil: newer!.heldFrom });
    expect(await items(`asOf=${older!.heldFrom}`)).toEqual([older]);
    expect(await items(`asOf=${newer!.heldFrom}`)).toEqual([newer]);
    const path = `/items/${older!.id}`;
    const undone = await service.call({ method: 'PATCH', projectId, path, body: { status: 'active' } });
    expect(undone.body).toMatchObject({ status: 'active', supersededBy: null, heldUntil: null, revision: 3 });
    const after = await service.call({ projectId, path: `/items/${newer!.id}` });
    expect(after.body).toMatchObject({ status: 'active', supersedes: null });
  });

  it('of one conversation ends what was said before in it, as a model relates the two', async () => {
    await readOf(
      [{ content: 'The refund limit is 50 euros' }, { content: 'Yes' }, { content: 'It is now 80 euros' }],
      (snapshot) => [
        itemIn(snapshot, 'The refund limit is 50 euros', { content: 'Eels fly at 7' }),
        itemIn(snapshot, 'The refund limit is 50 euros'),
        itemIn(snapshot, 'It is now 80 euros', { siblings: [{ item: 1, relation: 'supersedes' }] }),
      ],
    );
    const [newer, ...others] = await items('status=active');
    expect({ content: newer?.content, others }).toEqual({ content: 'It is now 80 euros', others: [] });
    expect(await items('status=archived')).toMatchObject([
      { content: 'The refund limit is 50 euros', supersededBy: newer!.id, heldUntil: newer!.heldFrom },
    ]);
  });

  it('that says nearly the same with another value only links the older one, until a person says that it holds', async () => {
    const goal = await service.newGoal(projectId);
    const [first, second] = conversations(
      [{ content: 'The refund limit is 50 euros' }],
      [{ content: 'The refund limit is 80 euros' }],
    );
    await backfill(goal.id);
    const [one, other] = await commandsOnce(2);
    await service.complete(one!, readOutcome([itemIn(first!, 'The refund limit is 50 euros')]));
    await eventually(async () => expect(await items()).toHaveLength(1));
    await service.complete(other!, readOutcome([itemIn(second!, 'The refund limit is 80 euros')]));
    const [newer, older] = await eventually(async () => {
      const found = await items();
      expect(found).toHaveLength(2);
      return found.toSorted((a, b) => b.content.localeCompare(a.content));
    });
    expect(older).toMatchObject({ status: 'active', possiblyOutdatedBy: newer!.id });
    expect(newer).toMatchObject({ status: 'active', possiblyOutdatedBy: null, supersedes: null });
    const path = `/items/${older!.id}`;
    const kept = await service.call({ method: 'PATCH', projectId, path, body: { status: 'active' } });
    expect(kept.body).toMatchObject({ status: 'active', possiblyOutdatedBy: null });
    expect((await service.call({ method: 'POST', projectId, path: `${path}/undo` })).body).toMatchObject({
      possiblyOutdatedBy: newer!.id,
    });
    const archived = { method: 'PATCH', projectId, path: `/items/${newer!.id}`, body: { status: 'archived' } } as const;
    expect((await service.call(archived)).status).toBe(200);
    expect((await service.call({ projectId, path })).body).toMatchObject({ possiblyOutdatedBy: null });
  });

  it('names whom it is about, with the user id of the only one who speaks, and the dates that the words tell', async () => {
    const goal = await service.newGoal(projectId);
    const said = { content: 'From 1 March 2026 to May 2026 I work in Porto', name: 'Anna Kowalska' };
    const snapshot = { ...snapshotOf(projectId, 'chat', [said]), userId: 'user-7' };
    know([snapshot]);
    service.warehouse.ready.set(projectId, [readyOf(snapshot)]);
    await backfill(goal.id);
    const [command] = await commandsOnce(1);
    const about = { subject: { kind: 'person', name: 'Anna Kowalska' }, validFrom: '2026-03-01' } as const;
    const content = 'Anna Kowalska works in Porto from 1 March 2026 to May 2026';
    await service.complete(
      command!,
      readOutcome([itemIn(snapshot, said.content, { ...about, content, validUntil: '2026-05' })]),
    );
    await eventually(async () => expect(await items()).toHaveLength(1));
    const validity = { validFrom: Date.UTC(2026, 2, 1), validUntil: Date.UTC(2026, 5, 1) };
    for (const query of ['subject=anna%20kowalska', 'subject=user-7', `asOf=${validity.validFrom}`]) {
      expect(await items(query)).toMatchObject([
        {
          subject: { kind: 'person', name: 'Anna Kowalska', userId: 'user-7' },
          ...validity,
          saidAt: expect.any(Number),
        },
      ]);
    }
    for (const query of ['subject=user-8', `asOf=${validity.validUntil}`, `asOf=${validity.validFrom - 1}`]) {
      expect(await items(query)).toEqual([]);
    }
  });

  it('learns policies from a system prompt where the goal allows it, and reads each prompt once for the goal', async () => {
    const goal = await service.newGoal(projectId, { sources: { systemPrompt: true } });
    const prompt = { role: 'system' as const, content: 'Refunds take nine days' };
    const [first, second] = conversations([prompt, { content: 'Hello' }], [prompt, { content: 'Hello again' }]);
    await backfill(goal.id);
    const [one] = await commandsOnce(2);
    expect(one!.data.sources).toEqual({ systemPrompt: true });
    const promptsRead = Buffer.from('prompt-1').toString('base64');
    const found = itemIn(first!, 'Refunds take nine days', { kind: 'policy', authority: 'project_stated' });
    await service.complete(one!, { ...readOutcome([found]), promptsRead } as ReturnType<typeof readOutcome>);
    await eventually(async () =>
      expect(await items()).toMatchObject([{ kind: 'policy', evidence: [{ promptHash: expect.any(String) }] }]),
    );
    const later = snapshotOf(projectId, 'later', [prompt, { content: 'Good day' }]);
    know([second!, later]);
    service.warehouse.ready.set(projectId, [readyOf(later)]);
    await backfill(goal.id);
    const command = (await commandsOnce(3)).find(({ data }) => data.conversationId === 'later');
    expect(command!.data.alreadyRead).toBe(promptsRead);
  });

  it('never changes what a person reviewed, nor makes what was archived again', async () => {
    const { goal } = await readOf([{ content: 'Ships leave at 9' }], (snapshot) => [
      itemIn(snapshot, 'Ships leave at 9'),
    ]);
    const [item] = await items();
    const path = `/items/${item!.id}`;
    const archived = await service.call({ method: 'PATCH', projectId, path, body: { status: 'archived' } });
    expect(archived).toMatchObject({ status: 200, body: { status: 'archived', reviewedAt: service.clock.now() } });
    const again = snapshotOf(projectId, 'again', [{ content: 'Ships leave at 9' }]);
    know([again]);
    service.warehouse.ready.set(projectId, [readyOf(again)]);
    const { backfillId } = await backfill(goal.id);
    const command = (await commandsOnce(2)).find(({ data }) => data.conversationId === 'again');
    await service.complete(command!, readOutcome([itemIn(again, 'Ships leave at 9')]));
    expect(await inState(goal.id, backfillId, 'completed')).toMatchObject({ itemsCreated: 0, itemsMerged: 1 });
    expect(await items()).toEqual([archived.body]);
    const { body } = await service.call<{ revisions: ItemRevision[] }>({ projectId, path: `${path}/revisions` });
    expect(body.revisions.map(({ revision, author }) => [revision, author.kind])).toEqual([
      [2, 'key'],
      [1, 'extraction'],
    ]);
    const lines = await service.call({ projectId, path: '/export' });
    expect(
      lines.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([archived.body]);
    expect((await service.call({ projectId, path: `/goals/${goal.id}` })).body).toMatchObject({
      counts: { activeItems: 0, archivedItems: 1 },
    });
  });

  it('is found by its words, trace, goal and state', async () => {
    const { goal } = await readOf([{ content: 'Ships leave at 9' }], (snapshot) => [
      itemIn(snapshot, 'Ships leave at 9'),
    ]);
    for (const query of [
      'q=SHIPS',
      'q=9+leave',
      `sourceTraceId=${TRACE_ID}`,
      `goalId=${goal.id}`,
      'status=active',
      'updatedAfter=0',
    ]) {
      expect(await items(query)).toHaveLength(1);
    }
    for (const query of ['q=boats', 'q=--', `sourceTraceId=${'c'.repeat(32)}`, 'goalId=goal_1', 'status=archived']) {
      expect(await items(query)).toEqual([]);
    }
  });
});
