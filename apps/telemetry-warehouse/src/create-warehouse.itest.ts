import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { nativeDb } from '@clew/persistence';
import { bindingOf, queueDepth, QUEUES, type QueueSpec } from '@clew/messaging';
import { eventually, useTestEnvironment } from '@clew/testing';
import { conversationKey } from './conversations/index.ts';
import { useTestDatabase } from './test-support/database.ts';
import { startTestService, type TestService } from './test-support/service.ts';
import { chatSpan, OTHER_PROJECT_ID, PROJECT_ID, spansMessage, type SpansMessage } from './test-support/spans.ts';

const environment = useTestEnvironment();
const database = useTestDatabase(environment);
let service: TestService;

beforeEach(async () => {
  service = await startTestService(environment, database.current);
  // Messages that a stopped instance had not settled yet are back in the queue by now.
  const channel = await service.broker.openChannel();
  await channel.purgeQueue(QUEUES.spansReceivedBulk.name);
  await channel.close();
});
afterEach(() => service.stop());

const AT_ONCE = 100;

async function publish(queue: QueueSpec, ...messages: SpansMessage[]): Promise<void> {
  const { exchange, routingKey } = bindingOf(queue);
  const send = (message: SpansMessage) =>
    service.publisher.publishRaw(exchange, routingKey, Buffer.from(JSON.stringify(message)));
  // The publisher lets a message wait for a bounded time, so few are handed to it at once.
  for (let from = 0; from < messages.length; from += AT_ONCE)
    await Promise.all(messages.slice(from, from + AT_ONCE).map(send));
}

/** Message about the conversation that is named after a trace. */
const asked = (project: string, trace: number, span = 1) =>
  spansMessage({ spans: [chatSpan({ trace, span, conversation: `c-${trace}`, said: 'hello' })] }, project);

/** Lets every write to a conversation wait until the returned function is called. */
async function holdConversation(conversationId: string): Promise<() => Promise<unknown>> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const conversations = nativeDb(database.current.connection).collection<{ _id: string }>('conversations');
  const _id = conversationKey(PROJECT_ID, conversationId);
  const ended = database.current.withTransaction(async (session) => {
    await conversations.updateOne({ _id }, { $inc: { touches: 1 } }, { session });
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return () => {
    released.resolve();
    return ended;
  };
}

it("stores a project's message at once, however many of another project wait on the bulk lane", async () => {
  const COUNT = 2_000;
  const waiting = async () => (await queueDepth(service.broker, QUEUES.spansReceivedBulk)).messages;
  await publish(QUEUES.spansReceivedBulk, ...Array.from({ length: COUNT }, (_, index) => asked(PROJECT_ID, index)));
  service.start();
  await eventually(async () => expect(await waiting()).toBeLessThan(COUNT - 2 * QUEUES.spansReceivedBulk.prefetch));
  await publish(QUEUES.spansReceived, asked(OTHER_PROJECT_ID, COUNT));
  await eventually(async () => expect(await service.conversationIdsOf(OTHER_PROJECT_ID)).toEqual([`c-${COUNT}`]));
  expect(await waiting()).toBeGreaterThan(COUNT / 2);
});

it('stores a message of the usual lane while a write of the bulk lane takes long', async () => {
  const fragments = nativeDb(database.current.connection).collection('trace_fragments');
  await publish(QUEUES.spansReceivedBulk, asked(PROJECT_ID, 1));
  service.start();
  await eventually(async () => expect(await service.conversationIdsOf(PROJECT_ID)).toEqual(['c-1']));
  const release = await holdConversation('c-1');
  try {
    await publish(QUEUES.spansReceivedBulk, asked(PROJECT_ID, 1, 2));
    await eventually(async () => expect(await fragments.countDocuments({ projectId: PROJECT_ID })).toBe(2));
    await publish(QUEUES.spansReceived, asked(OTHER_PROJECT_ID, 2));
    await eventually(async () => expect(await service.conversationIdsOf(OTHER_PROJECT_ID)).toEqual(['c-2']));
  } finally {
    await release();
  }
});

it('stores the messages of both lanes', async () => {
  await publish(QUEUES.spansReceivedBulk, asked(PROJECT_ID, 1));
  await publish(QUEUES.spansReceived, asked(PROJECT_ID, 2));
  service.start();
  await eventually(async () =>
    expect((await service.conversationIdsOf(PROJECT_ID)).toSorted()).toEqual(['c-1', 'c-2']),
  );
});
