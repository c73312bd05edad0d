import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { bindingOf, queueDepth, QUEUES, type QueueSpec } from '@clew/messaging';
import { eventually, useTestEnvironment } from '@clew/testing';
import { useTestDatabase } from './test-support/database.ts';
import { startTestService, type TestService } from './test-support/service.ts';
import { chatSpan, OTHER_PROJECT_ID, PROJECT_ID, spansMessage, type SpansMessage } from './test-support/spans.ts';

const environment = useTestEnvironment();
const database = useTestDatabase(environment);
let service: TestService;

beforeEach(async () => {
  service = await startTestService(environment, database.current);
});
afterEach(async () => {
  const channel = await service.broker.openChannel();
  await channel.purgeQueue(QUEUES.spansReceivedBulk.name);
  await service.stop();
});

async function publish(queue: QueueSpec, ...messages: SpansMessage[]): Promise<void> {
  const { exchange, routingKey } = bindingOf(queue);
  await Promise.all(
    messages.map((message) => service.publisher.publishRaw(exchange, routingKey, Buffer.from(JSON.stringify(message)))),
  );
}

const asked = (project: string, trace: number) =>
  spansMessage({ spans: [chatSpan({ trace, span: 1, conversation: `c-${trace}`, said: 'hello' })] }, project);

it("stores a project's message at once, however many of another project wait on the bulk lane", async () => {
  const COUNT = 3_000;
  const waiting = async () => (await queueDepth(service.broker, QUEUES.spansReceivedBulk)).messages;
  await publish(QUEUES.spansReceivedBulk, ...Array.from({ length: COUNT }, (_, index) => asked(PROJECT_ID, index)));
  service.start();
  await eventually(async () => expect(await waiting()).toBeLessThan(COUNT - 2 * QUEUES.spansReceivedBulk.prefetch));
  await publish(QUEUES.spansReceived, asked(OTHER_PROJECT_ID, COUNT));
  await eventually(async () => expect(await service.conversationIdsOf(OTHER_PROJECT_ID)).toEqual([`c-${COUNT}`]));
  expect(await waiting()).toBeGreaterThan(COUNT / 2);
});

it('stores the messages of both lanes', async () => {
  await publish(QUEUES.spansReceivedBulk, asked(PROJECT_ID, 1));
  await publish(QUEUES.spansReceived, asked(PROJECT_ID, 2));
  service.start();
  await eventually(async () => expect((await service.conversationIdsOf(PROJECT_ID)).toSorted()).toEqual(['c-1', 'c-2']));
});
