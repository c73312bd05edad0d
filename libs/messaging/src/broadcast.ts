import { readJson } from '@clew/kernel';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { EXCHANGE_OF_KIND, routingKeyOf, type EnvelopeOf, type MessageSpec } from '@clew/contracts';
import type { Logger, BackgroundTask } from '@clew/runtime';
import type { Broker } from './broker.ts';
import { validEnvelope } from './envelopes.ts';
import { keepChannel } from './kept-channel.ts';

export interface BroadcastOptions<Spec extends MessageSpec> {
  broker: Broker;
  spec: Spec;
  logger: Logger;
  handle(envelope: EnvelopeOf<Spec>): void | Promise<void>;
  /** Called with every subscription, including the first, because messages may have been missed before. */
  onSubscribed?(): void;
}

export interface Broadcast extends BackgroundTask {
  isSubscribed(): boolean;
  stop(): Promise<void>;
}

/**
 * Receives every message of one kind in this process, in addition to all other subscribers. Messages sent while
 * disconnected are missed; a cache that relies on them is emptied in `onSubscribed`.
 */
export function subscribeBroadcast<Spec extends MessageSpec>(options: BroadcastOptions<Spec>): Broadcast {
  const { broker, spec, logger } = options;

  async function receive(message: ConsumeMessage): Promise<void> {
    try {
      await options.handle(validEnvelope(spec, readJson(message.content.toString())));
    } catch (error) {
      logger.error({ err: error, type: spec.type }, 'broadcast message failed');
    }
  }

  async function prepare(channel: ConfirmChannel): Promise<void> {
    const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true, durable: false });
    await channel.bindQueue(queue, EXCHANGE_OF_KIND[spec.kind], routingKeyOf(spec));
    const onMessage = (message: ConsumeMessage | null) => {
      if (message === null) kept.recycle();
      else void receive(message);
    };
    await channel.consume(queue, onMessage, { noAck: true, exclusive: true });
  }

  const kept = keepChannel({ connection: broker.consuming, logger, prepare, opened: () => options.onSubscribed?.() });
  return {
    name: `${spec.type} (broadcast)`,
    isSubscribed: () => kept.current() !== undefined,
    stop: () => kept.close(),
  };
}
