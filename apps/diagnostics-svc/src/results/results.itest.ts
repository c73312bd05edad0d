import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { conversationFindingsChanged, type ConversationFindings, type EnvelopeOf } from '@clew/contracts';
import { newId } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import {
  createTcpFault,
  fixedClock,
  monitored,
  propertyRuns,
  sentCommands,
  useCleanup,
  useTestEnvironment,
} from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { MAX_WINDOW_CONVERSATIONS, type StoredFinding } from '../findings/finding.ts';
import { findingModel, occurrenceModel } from '../findings/finding.model.ts';
import { storeQueued } from '../test-support/analyses.ts';
import { deliveries, expectedOccurrences } from '../test-support/deliveries.ts';
import {
  detectionOf,
  resultOf,
  STARTED_AT,
  together,
  type CompletedMessage,
  type ResultParts,
} from '../test-support/results.ts';
import { openTestDatabase, resultsServiceOn } from '../test-support/service.ts';
import { resultMessageOf } from './analysis-result.ts';

type CountsEvent = EnvelopeOf<typeof conversationFindingsChanged>;
type CountEvent = Pick<CountsEvent, 'requestId'> & { data: ConversationFindings };
type TakeResults = (batch: readonly CompletedMessage[]) => Promise<void>;

const environment = useTestEnvironment();
const cleanup = useCleanup();
const clock = fixedClock(STARTED_AT);
let database: Database;
let take: TakeResults;

beforeAll(async () => {
  database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  take = resultsServiceOn(database, clock);
});

afterAll(() => database.close());

function occurrencesOf(projectId: string) {
  return occurrenceModel(database.connection).find({ projectId }).lean();
}

function findingsOf(projectId: string) {
  return findingModel(database.connection).find({ projectId }).sort({ title: 1 }).lean();
}

/** Announced counts, in the order of their commits. */
async function announced(projectId: string): Promise<CountEvent[]> {
  const events = await emittedMessages(database, conversationFindingsChanged, projectId);
  return events.flatMap(({ requestId, data }) => data.conversations.map((count) => ({ requestId, data: count })));
}

/** Counts that the warehouse ends up with: of two, the one with the greater sequence. */
async function countsAtWarehouse(projectId: string): Promise<Map<string, number>> {
  const events = (await announced(projectId)).toSorted((left, right) => left.data.sequence - right.data.sequence);
  const counts = new Map(events.map(({ data }): [string, number] => [data.conversationId, data.findingCount]));
  return new Map([...counts].filter(([, count]) => count > 0));
}

async function expectApplied(projectId: string, results: readonly CompletedMessage[]): Promise<void> {
  const expected = [...expectedOccurrences(results).values()];
  const stored = await occurrencesOf(projectId);
  const identity = (id: string, snapshotId: string, summary: string) => `${id} ${snapshotId} ${summary}`;
  expect(stored.map((each) => identity(each._id, each.snapshotId, each.detection.summary)).toSorted()).toEqual(
    expected.map((each) => identity(each.id, each.snapshotId, each.detection.summary)).toSorted(),
  );
  for (const finding of await findingsOf(projectId)) {
    const own = stored.filter(({ findingId }) => findingId === finding._id);
    const primary = own.find(({ _id }) => _id === finding.primary?.id);
    expect(finding).toMatchObject({ occurrenceCount: own.length, listed: own.length > 0 });
    if (primary !== undefined) expect(finding.summary).toBe(primary.detection.summary);
    else expect(own).toEqual([]);
  }
  const shown = Map.groupBy(expected, ({ conversationId }) => conversationId);
  expect(await countsAtWarehouse(projectId)).toEqual(new Map([...shown].map(([id, own]) => [id, own.length])));
}

/** Result for a further revision of one conversation. */
function result(projectId: string, conversationId: string, revision: number, clusters: ResultParts['found'][string]) {
  return resultOf({ projectId, conversationId, snapshot: { revision }, found: { rule_a: clusters } });
}

/** Random deliveries, each to its own project. */
const deliveriesToProjects = deliveries.map((batchesOf) => {
  const projectId = newId('prj');
  return { projectId, batches: batchesOf(projectId) };
});

describe('taking results', () => {
  it('stores, in any order, repetition and batching, what the latest snapshots show', async () => {
    const property = fc.asyncProperty(deliveriesToProjects, async ({ projectId, batches }) => {
      for (const batch of batches) {
        clock.advance(1);
        await take(batch);
      }
      await expectApplied(projectId, batches.flat());
    });
    await fc.assert(property, { ...propertyRuns(8), endOnFailure: true });
  });

  it('stores the same when all batches are taken at once by two processes', async () => {
    const second = await openTestDatabase(environment);
    cleanup(() => second.close());
    const takers = [take, resultsServiceOn(second, clock)];
    const property = fc.asyncProperty(deliveriesToProjects, async ({ projectId, batches }) => {
      const both = takers.flatMap((taker) => batches.map((batch) => taker(batch)));
      await Promise.all(both);
      await expectApplied(projectId, batches.flat());
    });
    await fc.assert(property, { ...propertyRuns(6), endOnFailure: true });
  });

  it('loses no occurrence when many conversations show the same Finding in the same moment', async () => {
    const projectId = newId('prj');
    const results = Array.from({ length: 8 }, (_, index) => result(projectId, `chat ${index}`, 1, ['loop']));
    await Promise.all(results.map((each) => take([each])));
    expect(await findingsOf(projectId)).toMatchObject([{ title: 'loop', occurrenceCount: 8 }]);
    await expectApplied(projectId, results);
  });

  it('takes effect once when the commit succeeds and its answer is lost', async () => {
    const { hostname: host, port } = new URL(environment.mongoUrl);
    const fault = await createTcpFault({ target: { host, port: Number(port) } });
    cleanup(() => fault.close());
    const behindFault = await openTestDatabase(environment, fault.through(environment.mongoUrl));
    cleanup(() => behindFault.close());
    const projectId = newId('prj');
    const taken = result(projectId, 'a chat', 1, ['loop']);
    const lost = fault.cutAfter('commitTransaction');
    await resultsServiceOn(behindFault, clock)([taken]);
    await lost;
    await expectApplied(projectId, [taken]);
  });

  it('leaves nothing behind when one of a batch cannot be stored', async () => {
    const projectId = newId('prj');
    const tooLong = 'x'.repeat(17 * 1024 * 1024);
    const batch = [result(projectId, 'a chat', 1, ['loop']), result(projectId, tooLong, 1, ['loop'])];
    await expect(take(batch)).rejects.toThrow();
    expect(await findingsOf(projectId)).toEqual([]);
    await take(batch.slice(0, 1));
    await expectApplied(projectId, batch.slice(0, 1));
  });
});

describe('a Finding', () => {
  it('is described by the first detected of the conversations that are left when its first one stops showing it', async () => {
    const projectId = newId('prj');
    for (const name of ['first', 'second', 'third']) {
      clock.advance(1_000);
      await take([result(projectId, name, 1, ['loop'])]);
    }
    clock.advance(1_000);
    // Detected again in the second conversation, which does not make it the later one.
    await take([result(projectId, 'second', 2, ['loop'])]);
    await take([result(projectId, 'first', 2, [])]);
    const [finding] = await findingsOf(projectId);
    expect(finding).toMatchObject({ occurrenceCount: 2, anchor: { conversationId: 'second' } });
    expect(finding?.window.map(({ conversationId }) => conversationId)).toEqual(['third', 'second']);
  });

  it('is handed over to a conversation that was known before, not to one of the same batch', async () => {
    const projectId = newId('prj');
    await take([result(projectId, 'first', 1, ['loop'])]);
    clock.advance(1_000);
    await take([result(projectId, 'second', 1, ['loop'])]);
    clock.advance(1_000);
    await take([result(projectId, 'first', 2, []), result(projectId, 'third', 1, ['loop'])]);
    expect(await findingsOf(projectId)).toMatchObject([{ occurrenceCount: 2, anchor: { conversationId: 'second' } }]);
  });

  it('spans less time again when the conversations at its ends stop showing it', async () => {
    const projectId = newId('prj');
    const at = (startedAt: number, throughMs: number) => ({
      snapshot: { startedAt, throughMs },
      found: { rule_a: ['loop'] },
    });
    await take([
      resultOf({ projectId, conversationId: 'early', ...at(1_000, 2_000) }),
      resultOf({ projectId, conversationId: 'middle', ...at(3_000, 4_000) }),
      resultOf({ projectId, conversationId: 'late', ...at(5_000, 6_000) }),
    ]);
    await take([result(projectId, 'early', 2, []), result(projectId, 'late', 2, [])]);
    const [finding] = await findingsOf(projectId);
    expect(finding).toMatchObject({
      window: [{ conversationId: 'middle', startMs: 3_000, endMs: 4_000 }],
      evidenceThroughMs: 4_000,
    });
  });

  it('keeps its times when the same snapshot is evaluated once more', async () => {
    const projectId = newId('prj');
    await take([result(projectId, 'a chat', 1, ['loop'])]);
    const before = await findingsOf(projectId);
    clock.advance(1_000);
    await take([{ ...result(projectId, 'a chat', 1, ['loop']), id: 'another message about the same' }]);
    expect(await findingsOf(projectId)).toEqual(before);
  });
});

describe('runs', () => {
  it('that failed or were skipped leave the Findings as they are', async () => {
    const projectId = newId('prj');
    const first = result(projectId, 'a chat', 1, ['loop']);
    await take([first]);
    await take([result(projectId, 'a chat', 2, 'failed'), result(projectId, 'a chat', 3, 'skipped')]);
    await expectApplied(projectId, [first]);
  });
});

describe('the count of a conversation’s Findings', () => {
  it('is announced when it changes and only then, each time with a greater sequence', async () => {
    const projectId = newId('prj');
    const revisions = [[], ['loop'], ['loop'], ['error'], ['loop', 'error'], []];
    for (const [index, clusters] of revisions.entries()) await take([result(projectId, 'a chat', index + 1, clusters)]);
    const counts = (await announced(projectId)).map(({ data }) => data);
    expect(counts.map(({ findingCount }) => findingCount)).toEqual([1, 2, 0]);
    const sequences = counts.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted((left, right) => left - right));
    expect(new Set(sequences).size).toBe(3);
  });

  it('is announced once for a batch, and carries the request id of what caused it', async () => {
    const projectId = newId('prj');
    const requestId = newId('req');
    await take([
      result(projectId, 'a chat', 1, ['loop']),
      { ...result(projectId, 'a chat', 2, ['loop', 'error']), requestId },
      result(projectId, 'another chat', 1, []),
    ]);
    expect(await announced(projectId)).toMatchObject([
      { requestId, data: { conversationId: 'a chat', findingCount: 2 } },
    ]);
  });

  it('counts what all Rules found', async () => {
    const projectId = newId('prj');
    await take([resultOf({ projectId, found: { rule_a: ['loop', 'error'], rule_b: ['refusal'] } })]);
    expect(await announced(projectId)).toMatchObject([{ data: { findingCount: 3 } }]);
  });

  it('is announced also for the longest conversation and message ids', async () => {
    const projectId = newId('prj');
    const conversationId = '💬'.repeat(256);
    await take([{ ...result(projectId, conversationId, 1, ['loop']), id: 'x'.repeat(512) }]);
    expect(await announced(projectId)).toMatchObject([{ data: { conversationId, findingCount: 1 } }]);
  });
});

describe('the cost of a batch', () => {
  /** Names of the commands that the work sends to the database, without those of the outbox. */
  async function commandsOf(work: () => Promise<void>): Promise<string[]> {
    const sent = await sentCommands(database, work);
    return sent.filter(({ collection }) => collection !== 'outbox').map(({ name }) => name);
  }

  const conversations = (count: number) => Array.from({ length: count }, (_, index) => `chat ${index}`);

  it('is the same number of commands for 100 results as for one', async () => {
    const [one, many] = [newId('prj'), newId('prj')];
    const single = await commandsOf(() => take([result(one, 'a chat', 1, ['loop'])]));
    const hundred = conversations(100).map((name, index) => result(many, name, 1, [`cluster ${index}`, 'loop']));
    expect(await commandsOf(() => take(hundred))).toEqual(single);
    await expectApplied(many, hundred);
  });

  it('is a record and its place in the order for a conversation that shows nothing, however many Rules ran', async () => {
    const commandsFor = async (rules: number) => {
      const projectId = newId('prj');
      const found = Object.fromEntries(Array.from({ length: rules }, (_, index) => [`rule_${index}`, []]));
      const [first, ...others] = conversations(50).map((conversationId) =>
        resultOf({ projectId, conversationId, found }),
      );
      const message = together([first!, ...others]);
      for (const target of resultMessageOf(message).results) await storeQueued(database, target, Object.keys(found));
      const sent = await sentCommands(database, () => take([message]));
      return sent.map(({ name, collection, command }) => {
        const statements = (command['updates'] ?? command['documents'] ?? []) as unknown[];
        return `${name} ${collection}: ${statements.length}`;
      });
    };
    const one = await commandsFor(1);
    expect(one.filter((command) => !command.endsWith(': 0'))).toEqual([
      'insert inbox: 1',
      'update analysed_conversations: 50',
      'update analyses: 50',
      'update outbox: 1',
    ]);
    expect(await commandsFor(20)).toEqual(one);
  });

  it('is the same number of commands also where 100 Findings lose their first conversation', async () => {
    const projectId = newId('prj');
    const clusters = Array.from({ length: 100 }, (_, index) => `cluster ${index}`);
    for (const name of ['first', 'second']) {
      clock.advance(1);
      await take(clusters.map((cluster, index) => result(projectId, `${name} ${index}`, 1, [cluster])));
    }
    const one = await commandsOf(() => take([result(projectId, 'first 0', 2, [])]));
    const withdrawals = clusters.slice(1).map((_, index) => result(projectId, `first ${index + 1}`, 2, []));
    expect(await commandsOf(() => take(withdrawals))).toEqual(one);
    const findings = await findingsOf(projectId);
    expect(findings.map(({ anchor }) => anchor.conversationId).toSorted()).toEqual(
      clusters.map((_, index) => `second ${index}`).toSorted(),
    );
  });

  it('stays bounded for a Finding of very many conversations', async () => {
    const projectId = newId('prj');
    const names = conversations(5 * MAX_WINDOW_CONVERSATIONS);
    for (let start = 0; start < names.length; start += 100) {
      clock.advance(1);
      await take(names.slice(start, start + 100).map((name) => result(projectId, name, 1, ['loop'])));
    }
    await take([result(projectId, 'chat 0', 2, [])]);
    const [finding] = (await findingsOf(projectId)) as unknown as [StoredFinding];
    const shown = finding.window.map(({ conversationId }) => conversationId);
    expect(finding.occurrenceCount).toBe(names.length - 1);
    expect(shown).toHaveLength(MAX_WINDOW_CONVERSATIONS);
    expect(shown).toEqual(expect.arrayContaining([finding.anchor.conversationId, names.at(-1)]));
  });
});

describe('evidence', () => {
  it('is not read again to apply further results', async () => {
    const projectId = newId('prj');
    await take([result(projectId, 'a chat', 1, [detectionOf('loop')])]);
    const replies: string[] = [];
    const client = database.connection.getClient();
    const listener = ({ commandName, reply }: { commandName: string; reply: object }) => {
      if (commandName === 'find') replies.push(JSON.stringify(reply));
    };
    client.on('commandSucceeded', listener);
    await take([result(projectId, 'a chat', 2, [detectionOf('loop')]), result(projectId, 'another', 1, ['loop'])]);
    client.off('commandSucceeded', listener);
    expect(replies.length).toBeGreaterThan(0);
    expect(replies.filter((reply) => reply.includes('quotes":'))).toEqual([]);
  });
});
