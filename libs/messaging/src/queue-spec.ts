import { EXCHANGE_OF_KIND, routingKeyOf, type Lane, type MessageSpec, type ServiceName } from '@clew/contracts';

/**
 * Durable queue. Its arguments cannot be changed once it exists in a broker. A change of them, or of the shape of the
 * message, is a new version with a queue of its own, which the consumer reads in addition to the old one as long as the
 * old one is `retired`.
 */
export interface QueueSpec<Spec extends MessageSpec = MessageSpec> {
  /** `<consumer>.<subject>.v<version>` */
  readonly name: string;
  /** Service that consumes the queue. */
  readonly consumer: ServiceName;
  /** Message that the queue receives. */
  readonly message: Spec;
  /** Lane of the message that the queue receives; the usual one by default. */
  readonly lane?: Lane;
  /** Messages that one consumer has in hand at a time. */
  readonly prefetch: number;
  /** Deliveries that may end without an answer (a killed consumer) before the broker dead-letters the message. */
  readonly deliveryLimit: number;
  /** Size above which the broker rejects publishes; their publisher gets a PublishRejectedError. */
  readonly maxLengthBytes?: number;
  /** True for one consumer at a time with the others on standby: for results that share counters. */
  readonly singleActiveConsumer?: boolean;
  /** Name of a queue whose dead letters are copied to this one, for a service that waits for their outcome. */
  readonly deadLettersOf?: string;
  /** True if nothing is published to it any more: the migration deletes it once it is empty. */
  readonly retired?: boolean;
  /** True if its consumer declares it: a queue of one node, which no migration can know. */
  readonly declaredByConsumer?: boolean;
}

type QueueOptions<Spec extends MessageSpec> = Omit<QueueSpec<Spec>, 'name' | 'consumer'>;

/** Declares the queue of a consumer for one subject, in the version of its message. */
export function queueOf<Spec extends MessageSpec>(
  consumer: ServiceName,
  subject: string,
  options: QueueOptions<Spec>,
): QueueSpec<Spec> {
  return { name: `${consumer}.${subject}.v${options.message.version}`, consumer, ...options };
}

/** Returns the source of a queue's messages. */
export function bindingOf({ message, lane, deadLettersOf }: QueueSpec): { exchange: string; routingKey: string } {
  if (deadLettersOf !== undefined) return { exchange: DEAD_EXCHANGE, routingKey: deadLettersOf };
  return { exchange: EXCHANGE_OF_KIND[message.kind], routingKey: routingKeyOf(message, lane) };
}

/** Exchange of dead letters, with the name of the queue that they died on as the routing key. */
export const DEAD_EXCHANGE = 'clew.dead';
