import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, useTestEnvironment, useCleanup } from '@clew/testing';
import {
  BrokerUnavailableError,
  createPublisher,
  MAX_MESSAGE_BYTES,
  MessageTooLargeError,
  PublishRejectedError,
  queueDepth,
  UnroutableMessageError,
  type Broker,
  type Publisher,
  type QueueSpec,
} from './index.ts';
import { cutConnections, envelope, openBehindFault, openBroker, queueNamed } from './test-support/fixture.ts';

/** Default time for the broker's confirm. */
const CONFIRM_TIMEOUT_MS = 15_000;
const environment = useTestEnvironment();
const cleanup = useCleanup();
const queue = queueNamed('published');
const smallQueue = queueNamed('small', { maxLengthBytes: 1_000 });
let broker: Broker;
let publisher: Publisher;

beforeAll(async () => {
  broker = await openBroker(environment.amqpUrl, { queues: [queue, smallQueue] });
  publisher = createPublisher(broker);
});

afterAll(async () => {
  await publisher.close();
  await broker.close();
});

function publish(text: string, by: Publisher = publisher, to: QueueSpec = queue) {
  return by.publish(to.message, envelope(to.message, text));
}

async function bodies(of: QueueSpec = queue): Promise<string[]> {
  const channel = await broker.openChannel();
  const found: string[] = [];
  for (;;) {
    const message = await channel.get(of.name, { noAck: true });
    if (message === false) break;
    found.push((JSON.parse(message.content.toString()) as { data: { keyId: string } }).data.keyId);
  }
  await channel.close();
  return found;
}

const BLOCKED = 60;
const UNBLOCKED = 61;

/** Builds a frame with a method of AMQP's class `connection`, and one short text as its argument. */
function connectionMethod(method: number, text?: string): Buffer {
  const argument = text === undefined ? [] : [text.length, ...Buffer.from(text)];
  const payload = [0, 10, 0, method, ...argument];
  return Buffer.from([1, 0, 0, 0, 0, 0, payload.length, ...payload, 0xce]);
}

describe('a publish', () => {
  it('resolves once the message is on its queue', async () => {
    await publish('here');
    await eventually(async () => expect((await queueDepth(broker, queue)).messages).toBe(1));
    expect(await bodies()).toEqual(['here']);
  });

  it('keeps the order of the calls', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => String(index));
    await Promise.all(texts.map((text) => publish(text)));
    expect(await bodies()).toEqual(texts);
  });

  it('fails when no queue is bound, though the broker confirms it', async () => {
    const nowhere = queueNamed('nowhere');
    await expect(publish('lost', publisher, nowhere)).rejects.toThrow(UnroutableMessageError);
    await publisher.publish(nowhere.message, envelope(nowhere.message, 'dropped'), { mandatory: false });
  });

  it('tells the unroutable ones from the others that are in flight', async () => {
    const nowhere = queueNamed('nowhere');
    const results = await Promise.allSettled([
      publish('a'),
      publish('lost', publisher, nowhere),
      publish('b'),
      publish('lost', publisher, nowhere),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(await bodies()).toEqual(['a', 'b']);
  });

  it('is refused for an envelope that does not fit its schema, unless that was seen to', async () => {
    const wrong = { ...envelope(queue.message, 'x'), occurredAt: -1 };
    await expect(publisher.publish(queue.message, wrong)).rejects.toMatchObject({ name: 'ZodError' });
    await publisher.publish(queue.message, wrong, { skipValidation: true });
    expect(await bodies()).toEqual(['x']);
  });

  it('is a PublishRejectedError while the queue is full', async () => {
    const fill = async () => {
      for (let index = 0; index < 100; index += 1) await publish('full', publisher, smallQueue);
    };
    await expect(fill()).rejects.toThrow(PublishRejectedError);
    await bodies(smallQueue);
    await eventually(() => publish('room again', publisher, smallQueue));
  });

  it('is refused when it is larger than brokers take, and does not cost the others their channel', async () => {
    const body = Buffer.alloc(MAX_MESSAGE_BYTES + 1);
    const small = publish('small');
    await expect(publisher.publishRaw('', queue.name, body)).rejects.toThrow(MessageTooLargeError);
    await small;
    expect(await bodies()).toEqual(['small']);
  });
});

describe('a publish while the broker does not answer', () => {
  it('fails quickly when it is away, and works again when it is back', async () => {
    const { broker: behindFault, fault } = await openBehindFault(environment);
    const local = createPublisher(behindFault, { maxWaitMs: 2_000 });
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    cleanup(() => local.close());
    await publish('before', local);
    fault.block();
    await eventually(() => expect(behindFault.isConnected()).toBe(false));
    const startedAtMs = Date.now();
    await expect(publish('away', local)).rejects.toThrow(BrokerUnavailableError);
    expect(Date.now() - startedAtMs).toBeLessThan(CONFIRM_TIMEOUT_MS);
    expect(local.inFlight()).toEqual({ messages: 0, bytes: 0 });
    fault.unblock();
    await eventually(() => publish('after', local));
    expect(await bodies()).toEqual(['before', 'after']);
  });

  it('fails when the confirm is lost, though the message is there, and may be repeated with the same id', async () => {
    const { broker: behindFault, fault } = await openBehindFault(environment);
    const local = createPublisher(behindFault);
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    cleanup(() => local.close());
    await publish('warm-up', local);
    const lost = fault.cutAfter('unheard');
    await expect(publish('unheard', local)).rejects.toThrow(BrokerUnavailableError);
    await lost;
    await eventually(() => publish('unheard', local));
    expect(await bodies()).toEqual(['warm-up', 'unheard', 'unheard']);
  });

  it('fails when it is cut before the message was sent', async () => {
    const { broker: behindFault, fault } = await openBehindFault(environment);
    const local = createPublisher(behindFault);
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    cleanup(() => local.close());
    await publish('warm-up', local);
    const lost = fault.cutBefore('never-sent');
    await expect(publish('never-sent', local)).rejects.toThrow(BrokerUnavailableError);
    await lost;
    expect(await bodies()).toEqual(['warm-up']);
  });

  it('fails after the confirm timeout, and counts as in flight until the connection is gone', async () => {
    const { broker: behindFault, fault } = await openBehindFault(environment);
    const local = createPublisher(behindFault, { confirmTimeoutMs: 2_000, maxWaitMs: 2_000, maxInFlightBytes: 400 });
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    cleanup(() => local.close());
    await publish('warm-up', local);
    const stalled = fault.stallAfter('stalled');
    await expect(publish('stalled'.padEnd(300, '.'), local)).rejects.toThrow('2000 ms');
    await stalled;
    expect(local.inFlight().messages).toBe(1);
    await expect(publish('no room'.padEnd(300, '.'), local)).rejects.toThrow(BrokerUnavailableError);
    cutConnections(fault);
    await eventually(() => expect(local.inFlight()).toEqual({ messages: 0, bytes: 0 }));
    await eventually(() => publish('after', local));
    expect((await bodies()).map((text) => text.slice(0, 7))).toEqual(['warm-up', 'stalled', 'after']);
  });

  it('fails quickly while the broker is short of memory, and what still waits is sent when that ends', async () => {
    const { broker: behindFault, fault } = await openBehindFault(environment);
    const local = createPublisher(behindFault, { maxWaitMs: 2_000 });
    const patient = createPublisher(behindFault, { maxWaitMs: 60_000 });
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    cleanup(() => Promise.all([local.close(), patient.close()]));
    await Promise.all([publish('before', local), publish('before', patient)]);
    fault.sayToClients(connectionMethod(BLOCKED, 'low on memory'));
    await eventually(() => expect(behindFault.publishing.isBlocked()).toBe(true));
    const waiting = publish('after', patient);
    await expect(publish('never sent', local)).rejects.toThrow(BrokerUnavailableError);
    fault.sayToClients(connectionMethod(UNBLOCKED));
    await waiting;
    expect(await bodies()).toEqual(['before', 'before', 'after']);
  });

  it('fails at once when too much waits already', async () => {
    const { broker: behindFault, fault } = await openBehindFault(environment);
    const local = createPublisher(behindFault, { maxWaitMs: 60_000, maxInFlightBytes: 1_000 });
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    fault.block();
    await eventually(() => expect(behindFault.isConnected()).toBe(false));
    const waiting = publish('x'.repeat(600), local);
    await expect(publish('y'.repeat(600), local)).rejects.toThrow('Too many');
    const closed = local.close();
    await expect(waiting).rejects.toThrow(BrokerUnavailableError);
    await closed;
  });
});

describe('closing a publisher', () => {
  it('waits for the confirms of what was sent, and takes no more', async () => {
    const local = createPublisher(broker);
    await publish('first', local);
    const sent = publish('sent', local);
    await local.close();
    await sent;
    expect(await bodies()).toEqual(['first', 'sent']);
    await expect(publish('late', local)).rejects.toThrow(BrokerUnavailableError);
  });
});
