import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createTcpFault, eventually, useTestEnvironment } from '@clew/testing';
import {
  createPublisher,
  deadLetterQueueOf,
  eraseLettersOf,
  listDeadLetters,
  queueDepth,
  sweepDeadLetters,
  type Broker,
  type JudgeLetter,
  type Publisher,
  type QueueSpec,
} from './index.ts';
import { openBroker, prepareTopology, queueNamed } from './test-support/fixture.ts';

const environment = useTestEnvironment();
/** Shorter than in the product, for a broker that answers nothing. */
const SHORT_WAITS = { answerTimeoutMs: 300, closeTimeoutMs: 300 };
const GONE = { projectId: 'prj_a', conversationId: 'gone' };
let broker: Broker;
let publisher: Publisher;
let queue: QueueSpec;
let run = 0;

beforeAll(async () => {
  broker = await openBroker(environment.amqpUrl);
  publisher = createPublisher(broker);
});

afterAll(async () => {
  await publisher.close();
  await broker.close();
});

beforeEach(async () => {
  run += 1;
  queue = queueNamed(`sweep-${run}`);
  await prepareTopology(environment.amqpUrl, [queue]);
});

const about = (...conversationIds: string[]) => ({
  conversations: conversationIds.map((conversationId) => ({ conversationId })),
});

async function bury(...letters: (object | string)[]): Promise<void> {
  for (const [index, letter] of letters.entries()) {
    const body = typeof letter === 'string' ? letter : JSON.stringify({ projectId: 'prj_a', data: letter });
    const headers = { 'x-dead-reason': 'attempts-exhausted', 'x-attempt': 5, 'x-last-error': 'Error' };
    await publisher.publishRaw('clew.dead', queue.name, Buffer.from(body), { messageId: `m${index}`, headers });
  }
}

const sweep = (judge: JudgeLetter = eraseLettersOf(GONE)) => sweepDeadLetters(broker, [queue], judge);

const left = async () =>
  (await listDeadLetters(broker, queue)).map(({ id, body }) => [id, (JSON.parse(body) as { data?: unknown }).data]);

it('takes what names a conversation, rewrites what names others too, and leaves the rest in its order', async () => {
  await bury(
    ...[about('first'), { conversationId: 'gone', words: 'zebra' }, about('gone'), about('gone', 'kept')],
    ...[{ conversationId: 'kept', kind: 'gone' }, { outcome: { conversationId: 'gone' } }, about('last')],
  );
  expect(await sweep()).toBe(4);
  expect(await left()).toEqual([
    ['m0', about('first')],
    ['m4', { conversationId: 'kept', kind: 'gone' }],
    ['m6', about('last')],
    ['m3', about('kept')],
  ]);
  const letters = await listDeadLetters(broker, queue);
  expect(letters.at(-1)).toMatchObject({ id: 'm3', reason: 'attempts-exhausted', attempt: 5, lastError: 'Error' });
  expect(await sweep()).toBe(0);
});

it('leaves the conversations of that name of other projects, and takes what is no message where it holds both names', async () => {
  const other = JSON.stringify({ projectId: 'prj_b', data: { conversationId: 'gone' } });
  await bury(other, '{"projectId":"prj_a","conversationId":"gone"', '{"conversationId":"gone"}');
  expect(await sweep()).toBe(1);
  expect((await listDeadLetters(broker, queue)).map(({ id }) => id)).toEqual(['m0', 'm2']);
});

it('looks through more letters than are listed at once', async () => {
  await bury(...Array.from({ length: 1_500 }, (_, index) => about(index % 500 === 499 ? 'gone' : `kept ${index}`)));
  expect(await sweep()).toBe(3);
  await eventually(async () => expect((await queueDepth(broker, queue)).deadLetters).toBe(1_497));
  expect((await listDeadLetters(broker, queue, { limit: 2 })).map(({ id }) => id)).toEqual(['m0', 'm1']);
});

it('killed at any letter it loses none, and the next call ends it', async () => {
  await bury(about('a'), about('gone', 'b'), about('gone'), about('c'));
  const { hostname: host, port } = new URL(environment.amqpUrl);
  for (let killedAt = 1; killedAt <= 5; killedAt += 1) {
    const fault = await createTcpFault({ target: { host, port: Number(port || 5672) } });
    const doomed = await openBroker(fault.through(environment.amqpUrl), SHORT_WAITS);
    let seen = 0;
    const byName = eraseLettersOf(GONE);
    const killing: JudgeLetter = async (body, of) => {
      seen += 1;
      const judged = await byName(body, of);
      if (seen === killedAt) {
        fault.block();
        throw new Error('killed');
      }
      return judged;
    };
    await sweepDeadLetters(doomed, [queue], killing).catch(() => undefined);
    await doomed.close();
    await fault.close();
    await eventually(async () => {
      const names = (await left()).flatMap(([, data]) => JSON.stringify(data));
      for (const kept of ['a', 'b', 'c']) expect(names.join()).toContain(`"${kept}"`);
    });
  }
  await sweep();
  expect((await left()).map(([, data]) => JSON.stringify(data)).join()).not.toContain('gone');
  expect(new Set((await left()).map(([id]) => id))).toEqual(new Set(['m0', 'm1', 'm3']));
});

it('is refused where the queue is missing, unless it is one that has been retired', async () => {
  const missing = queueNamed('missing');
  await expect(sweepDeadLetters(broker, [missing], eraseLettersOf(GONE))).rejects.toThrow(
    deadLetterQueueOf(missing.name),
  );
  expect(await sweepDeadLetters(broker, [{ ...missing, retired: true }, queue], eraseLettersOf(GONE))).toBe(0);
});
