import type { EnvelopeOf, MessageSpec } from '@clew/contracts';
import { inSpan, type Logger, type Work, type WorkOutcome } from '@clew/runtime';
import { attemptOf, deliveryCountOf, spanOf } from './headers.ts';
import { Intake, type Consumer, type ConsumerOptions } from './intake.ts';
import type { Delivery } from './subscription.ts';

export interface MessageContext {
  /** Number of the attempt, 1 for the first. */
  attempt: number;
  /** Deliveries that ended without an answer, for instance because the process that had the message ended. */
  unansweredDeliveries: number;
  /** Aborted when the result no longer counts: the connection was lost, or the process stops and cannot wait. */
  signal: AbortSignal;
  logger: Logger;
  /** Heartbeat, to be called by work that takes minutes, so that it is not considered stuck. */
  heartbeat(): void;
}

export interface ConsumeOptions<Spec extends MessageSpec> extends ConsumerOptions<Spec> {
  /** Resolves when the effect is durable. A rejection is a failed attempt. The same message may come more than once. */
  handle(envelope: EnvelopeOf<Spec>, context: MessageContext): Promise<void>;
}

/**
 * Passes the messages of a queue to `handle`, as many at once as the prefetch allows. A failed message is retried after
 * the retry delays, on this queue alone; a malformed one, or one that failed too often, goes to the queue's dead
 * letters.
 */
export function consume<Spec extends MessageSpec>(options: ConsumeOptions<Spec>): Consumer {
  const intake = new Intake(options, startWaiting);

  // After a lost connection the same messages come again while their first handlers still run: those keep their place.
  function startWaiting(): void {
    for (const delivery of intake.take(intake.prefetch - intake.inHand.count)) void handleInHand(delivery);
  }

  async function handleInHand(delivery: Delivery): Promise<void> {
    const work = intake.inHand.begin();
    work.end(await handleOne(options, intake, delivery, work));
    startWaiting();
  }

  return intake.consumer();
}

async function handleOne<Spec extends MessageSpec>(
  options: ConsumeOptions<Spec>,
  intake: Intake<Spec>,
  delivery: Delivery,
  work: Work,
): Promise<WorkOutcome> {
  const envelope = await intake.parseOrBury(delivery);
  if (envelope === undefined) return 'failed';
  const attempt = attemptOf(delivery.message.properties);
  const signal = AbortSignal.any([delivery.signal, intake.abandoned]);
  try {
    await inSpan(spanOf([delivery], options.queue.name), () =>
      options.handle(envelope, {
        attempt,
        unansweredDeliveries: deliveryCountOf(delivery.message.properties),
        signal,
        logger: options.logger.child({ messageId: envelope.id, requestId: envelope.requestId }),
        heartbeat: work.heartbeat,
      }),
    );
  } catch (error) {
    if (signal.aborted) return 'abandoned';
    await intake.failures.retryOrBury(delivery, attempt, error);
    return 'failed';
  }
  // A handler that was told to give up may have returned with its work half done.
  if (signal.aborted) return 'abandoned';
  delivery.ack();
  return 'done';
}
