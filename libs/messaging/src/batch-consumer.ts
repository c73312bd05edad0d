import type { EnvelopeOf, MessageSpec } from '@clew/contracts';
import { inSpan, type Work, type WorkOutcome } from '@clew/runtime';
import { attemptOf, spanOf } from './headers.ts';
import { Intake, type Consumer, type ConsumerOptions } from './intake.ts';
import type { Delivery } from './subscription.ts';

export interface BatchContext {
  /** Aborted when the result no longer counts: the connection was lost, or the process stops and cannot wait. */
  signal: AbortSignal;
  /** Heartbeat, to be called by work that takes minutes, so that it is not considered stuck. */
  heartbeat(): void;
}

export interface ConsumeBatchesOptions<Spec extends MessageSpec> extends ConsumerOptions<Spec> {
  /** Maximum batch size, 100 by default; also limited by the prefetch. */
  maxBatch?: number;
  /** Time that the first message of a batch waits for others; 20 by default. */
  maxWaitMs?: number;
  /** Minimum time between the beginnings of two batches that are not full, for work that nobody waits for; 0 by default. */
  everyMs?: number;
  /**
   * Resolves when the effect of all messages is durable. When it rejects, it is called again with each message alone,
   * so it must then leave nothing behind: one transaction.
   */
  handle(envelopes: readonly EnvelopeOf<Spec>[], context: BatchContext): Promise<void>;
}

interface Item<Spec extends MessageSpec> {
  delivery: Delivery;
  envelope: EnvelopeOf<Spec>;
}

/**
 * Passes the messages of a queue to `handle` in batches, one batch at a time. A batch that fails is split: the message
 * at fault is retried, and finally dead-lettered, alone.
 */
export function consumeBatches<Spec extends MessageSpec>(options: ConsumeBatchesOptions<Spec>): Consumer {
  const { maxBatch = 100, maxWaitMs = 20, everyMs = 0 } = options;
  const intake = new Intake(options, schedule);
  const batches = new BatchRunner(options, intake);
  let timer: NodeJS.Timeout | undefined;
  let begunAtMs = -Infinity;

  function schedule(): void {
    if (intake.inHand.count > 0 || intake.waitingCount === 0) return;
    if (intake.waitingCount >= maxBatch) void handleWaiting();
    else timer ??= setTimeout(() => void handleWaiting(), Math.max(maxWaitMs, begunAtMs + everyMs - performance.now()));
  }

  async function handleWaiting(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const deliveries = intake.take(maxBatch);
    if (deliveries.length === 0) return;
    begunAtMs = performance.now();
    const work = intake.inHand.begin();
    work.end(await batches.run(deliveries, work));
    schedule();
  }

  return intake.consumer();
}

class BatchRunner<Spec extends MessageSpec> {
  readonly #options: ConsumeBatchesOptions<Spec>;
  readonly #intake: Intake<Spec>;

  constructor(options: ConsumeBatchesOptions<Spec>, intake: Intake<Spec>) {
    this.#options = options;
    this.#intake = intake;
  }

  /** Returns the outcome of the batch: of a single message, or of all together. */
  async run(deliveries: readonly Delivery[], work: Work): Promise<WorkOutcome> {
    const items: Item<Spec>[] = [];
    for (const delivery of deliveries) {
      const envelope = await this.#intake.parseOrBury(delivery);
      if (envelope !== undefined) items.push({ delivery, envelope });
    }
    const [only, ...others] = items;
    if (only === undefined) return 'failed';
    return others.length === 0 ? await this.#handleAlone(only, work) : await this.#handleTogether(items, work);
  }

  async #handleTogether(items: readonly Item<Spec>[], work: Work): Promise<WorkOutcome> {
    const { outcome, error } = await this.#handle(items, work);
    if (outcome !== 'failed') return outcome;
    const { logger, queue } = this.#options;
    logger.warn({ err: error, queue: queue.name, size: items.length }, 'batch failed, taking it apart');
    for (const item of items) {
      // A message that was not tried alone has not failed.
      if (this.#intake.stopping.aborted) item.delivery.giveBack();
      else if (!item.delivery.signal.aborted) await this.#handleAlone(item, work);
    }
    return 'failed';
  }

  async #handleAlone(item: Item<Spec>, work: Work): Promise<WorkOutcome> {
    const { outcome, error } = await this.#handle([item], work);
    if (outcome !== 'failed') return outcome;
    const attempt = attemptOf(item.delivery.message.properties);
    await this.#intake.failures.retryOrBury(item.delivery, attempt, error);
    return outcome;
  }

  /** Acknowledges all messages, or logs what the handler threw; does neither once the result no longer counts. */
  async #handle(items: readonly Item<Spec>[], work: Work): Promise<{ outcome: WorkOutcome; error?: unknown }> {
    work.heartbeat();
    const lost = new Set(items.map(({ delivery }) => delivery.signal));
    const signal = AbortSignal.any([...lost, this.#intake.abandoned]);
    try {
      const envelopes = items.map(({ envelope }) => envelope);
      const deliveries = items.map(({ delivery }) => delivery);
      const span = spanOf(deliveries, this.#options.queue.name);
      await inSpan(span, () => this.#options.handle(envelopes, { signal, heartbeat: work.heartbeat }));
    } catch (error) {
      return signal.aborted ? { outcome: 'abandoned' } : { outcome: 'failed', error };
    }
    // A handler that was told to give up may have returned with its work half done.
    if (signal.aborted) return { outcome: 'abandoned' };
    items.forEach(({ delivery }) => delivery.ack());
    return { outcome: 'done' };
  }
}
