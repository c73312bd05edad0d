import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, backoffMs, type BackOff, type Clock } from '@clew/kernel';
import type { RequestBytes } from '../body/byte-budget.ts';
import type { JsonWriter } from '../json/json-writer.ts';
import { MAX_MESSAGE_BYTES } from '../records/limits.ts';
import type { IngestMeter, TakenRoom } from '../quota/ingest-meter.ts';
import type { RecordGroup, RecordKind } from './record-group.ts';
import { SpanMessage, type SpanOrigin } from './span-message.ts';
import type { SpanPublisher } from './span-publisher.ts';

export interface RecordPublisherDependencies {
  publisher: SpanPublisher;
  /** Takes out of a message what its project does not want to be stored. */
  protect(projectId: string, body: Buffer): Promise<Buffer>;
  /** Takes room for a message in the quotas of its project; throws QUOTA_EXCEEDED if there is none. */
  meter: Pick<IngestMeter, 'take'>;
  clock: Clock;
}

/** Takes the records of one request and publishes them. */
export interface RecordPublisher {
  /**
   * Adds a record; throws RecordRefused if it is too large. A returned promise must be awaited before the next record.
   */
  add(group: RecordGroup, write: (out: JsonWriter) => void): Promise<void> | undefined;
  /** Resolves when everything is on a durable queue. */
  finish(): Promise<void>;
  /** Resolves when nothing is on its way any more, and never rejects: for a request that ends early. */
  settled(): Promise<unknown>;
}

export interface RecordPublisherOptions {
  origin: SpanOrigin;
  kind: RecordKind;
  /** Estimated JSON size of all records, in bytes. */
  expectedBytes: number;
  held: RequestBytes;
  /** Time for which a refused message is tried again; zero by default, since most callers retry themselves. */
  patienceMs?: number;
}

export type OpenRecordPublisher = (options: RecordPublisherOptions) => RecordPublisher;

/** Approximate limit of a request's unconfirmed bytes; more would only wait at the broker. */
const MAX_UNCONFIRMED_BYTES = 2 * MAX_MESSAGE_BYTES;
const BACK_OFF: BackOff = { firstMs: 100, maxMs: 5_000 };

/** Cuts records into messages, and publishes each while the next is being written. */
export function createRecordPublishers(deps: RecordPublisherDependencies): OpenRecordPublisher {
  return (options) => new MessageStream(deps, options);
}

class MessageStream implements RecordPublisher {
  readonly #deps: RecordPublisherDependencies;
  readonly #options: RecordPublisherOptions;
  readonly #unconfirmed = new Set<Promise<void>>();
  #unconfirmedBytes = 0;
  #message: SpanMessage | undefined;
  #failure: { error: unknown } | undefined;

  constructor(deps: RecordPublisherDependencies, options: RecordPublisherOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  add(group: RecordGroup, write: (out: JsonWriter) => void): Promise<void> | undefined {
    const message = (this.#message ??= this.#begin());
    message.add(group, write);
    return message.sizeBytes >= MAX_MESSAGE_BYTES ? this.#send() : undefined;
  }

  async finish(): Promise<void> {
    if (this.#message?.hasRecords === true) await this.#send();
    await this.settled();
    this.#throwFailure();
  }

  settled(): Promise<unknown> {
    return Promise.all(this.#unconfirmed);
  }

  #begin(): SpanMessage {
    const { origin, kind, expectedBytes } = this.#options;
    return new SpanMessage(origin, this.#deps.clock.now(), kind, expectedBytes);
  }

  async #send(): Promise<void> {
    const message = this.#message as SpanMessage;
    this.#message = undefined;
    const written = message.finish();
    await this.#hold(written.length);
    this.#unconfirmedBytes += written.length;
    let body: Buffer;
    let room: TakenRoom;
    try {
      const { projectId } = this.#options.origin;
      body = await this.#deps.protect(projectId, written);
      const taken = this.#deps.meter.take(projectId, { bytes: body.length, records: message.recordCount });
      room = taken instanceof Promise ? await taken : taken;
    } finally {
      this.#unconfirmedBytes -= written.length;
    }
    this.#publish(message.id, body, room);
    while (this.#unconfirmedBytes > MAX_UNCONFIRMED_BYTES) await Promise.race(this.#unconfirmed);
    this.#throwFailure();
  }

  /**
   * Takes memory for a message. Waits for room only while this request has unconfirmed messages; otherwise requests
   * that hold the room might wait for each other.
   */
  async #hold(bytes: number): Promise<void> {
    for (;;) {
      try {
        this.#options.held.setMessages(this.#unconfirmedBytes + bytes);
        return;
      } catch (error) {
        if (!(error instanceof AppError) || this.#unconfirmed.size === 0) throw error;
      }
      await Promise.race(this.#unconfirmed);
      this.#throwFailure();
    }
  }

  /** Publishes without ever rejecting: a failure is thrown where the request waits next. */
  #publish(messageId: string, body: Buffer, room: TakenRoom): void {
    this.#unconfirmedBytes += body.length;
    const confirmed = this.#publishPatiently(messageId, body)
      .then(
        () => room.end(true),
        (error: unknown) => {
          room.end(false);
          this.#failure ??= { error };
        },
      )
      .finally(() => {
        this.#unconfirmedBytes -= body.length;
        this.#options.held.setMessages(this.#unconfirmedBytes);
        this.#unconfirmed.delete(confirmed);
      });
    this.#unconfirmed.add(confirmed);
  }

  async #publishPatiently(messageId: string, body: Buffer): Promise<void> {
    const giveUpMs = performance.now() + (this.#options.patienceMs ?? 0);
    for (let attempt = 1; ; attempt += 1) {
      const delayMs = backoffMs(attempt, BACK_OFF);
      try {
        await this.#deps.publisher.publish(this.#options.origin.projectId, messageId, body);
        return;
      } catch (error) {
        const isPassing = error instanceof AppError && error.code === 'OVERLOADED';
        if (!isPassing || performance.now() + delayMs > giveUpMs) throw error;
      }
      await sleep(delayMs);
    }
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
