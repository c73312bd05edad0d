import { readJson } from '@clew/kernel';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { EXCHANGE_OF_KIND, routingKeyOf, type EnvelopeOf, type MessageSpec } from '@clew/contracts';
import type { Logger, BackgroundTask } from '@clew/runtime';
import type { Broker } from './broker.ts';
import { validEnvelope } from './envelopes.ts';
import { keepChannel } from './kept-channel.ts';

interface CommonBroadcastOptions {
  broker: Broker;
  logger: Logger;
  /** Called with every subscription, including the first, because messages may have been missed before. */
  onSubscribed?(): void;
}

export interface BroadcastOptions<Spec extends MessageSpec> extends CommonBroadcastOptions {
  spec: Spec;
  handle(envelope: EnvelopeOf<Spec>): void | Promise<void>;
}

export interface BroadcastsOptions<Spec extends MessageSpec> extends CommonBroadcastOptions {
  name: string;
  specs: readonly Spec[];
  handle(spec: Spec, envelope: EnvelopeOf<Spec>): void | Promise<void>;
  /** Whether messages of a project matter now; others are dropped before they are validated. Default: all matter. */
  isWanted?(projectId: unknown): boolean;
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
  const { spec, handle, ...common } = options;
  return subscribeBroadcasts<Spec>({
    ...{ ...common, name: `${spec.type} (broadcast)`, specs: [spec] },
    handle: (_spec, envelope) => handle(envelope),
  });
}

/** Receives every message of several kinds, on one queue and in the order of their arrival there. */
export function subscribeBroadcasts<Spec extends MessageSpec>(options: BroadcastsOptions<Spec>): Broadcast {
  const { broker, logger, isWanted = () => true } = options;
  const specs = new Map(options.specs.map((spec) => [routingKeyOf(spec), spec]));

  async function receive({ content, fields: { routingKey } }: ConsumeMessage): Promise<void> {
    try {
      const spec = specs.get(routingKey);
      if (spec === undefined) return;
      const message = readJson(content.toString());
      if (!isWanted((message as { projectId?: unknown } | null)?.projectId)) return;
      await options.handle(spec, validEnvelope(spec, message));
    } catch (error) {
      logger.error({ err: error, routingKey }, 'broadcast message failed');
    }
  }

  async function prepare(channel: ConfirmChannel): Promise<void> {
    const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true, durable: false });
    for (const [key, { kind }] of specs) await channel.bindQueue(queue, EXCHANGE_OF_KIND[kind], key);
    const onMessage = (message: ConsumeMessage | null) => {
      if (message === null) kept.recycle();
      else void receive(message);
    };
    await channel.consume(queue, onMessage, { noAck: true, exclusive: true });
  }

  const kept = keepChannel({ connection: broker.consuming, logger, prepare, opened: () => options.onSubscribed?.() });
  return {
    name: options.name,
    isSubscribed: () => kept.current() !== undefined,
    stop: () => kept.close(),
  };
}
