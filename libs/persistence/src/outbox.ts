import { EventEmitter } from 'node:events';
import type { Connection, mongo } from 'mongoose';
import {
  envelopeSchema,
  EXCHANGE_OF_KIND,
  routingKeyOf,
  type Envelope,
  type EnvelopeOf,
  type MessageSpec,
} from '@clew/contracts';
import { newId } from '@clew/kernel';
import { currentSpan } from '@clew/runtime';
import { nativeDb, type Database, type Transaction } from './database.ts';

/** Message that waits to be published, or was published. */
export interface OutboxRow {
  /** `<type>:<key>`; also the id of the message. */
  _id: string;
  /** Sequence that grows with time: the order of publishing. */
  seq: string;
  /**
   * `deferred`: the broker refused the message; it is retried from `retryAt` on, and meanwhile holds up no other row.
   */
  state: 'pending' | 'deferred' | 'published';
  exchange: string;
  routingKey: string;
  /** JSON text of the envelope; emptied after publishing, because the memory of emitted messages needs no content. */
  body: string;
  at: Date;
  /** Trace context of the request that wrote the message, if that request is traced. */
  traceparent?: string;
  failures?: number;
  retryAt?: Date;
  lastError?: string;
  publishedAt?: Date;
}

export interface OutboxMessage<Data> {
  /** Key that makes the message unique within its type: the same type and key are published once. */
  key: string;
  projectId: string;
  requestId: string | null;
  data: Data;
  /** Unix epoch milliseconds. */
  occurredAt: number;
}

/** Message of any type, as `appendMany` takes it. */
export interface AnyOutboxMessage extends OutboxMessage<unknown> {
  spec: MessageSpec;
}

/** Ties a message to its spec, which checks the type of its data. */
export function outboxMessage<Spec extends MessageSpec>(
  spec: Spec,
  message: OutboxMessage<EnvelopeOf<Spec>['data']>,
): AnyOutboxMessage {
  return { spec, ...message };
}

export interface Outbox {
  /**
   * Adds a message to the transaction: it is published if, and only if, the transaction commits. Returns false, and
   * adds nothing, if a message of that type and key was added within the last 7 days. Throws a ZodError for data that
   * does not fit the message's schema.
   */
  append<Spec extends MessageSpec>(
    tx: Transaction,
    spec: Spec,
    message: OutboxMessage<EnvelopeOf<Spec>['data']>,
  ): Promise<boolean>;
  /** Adds many messages like `append`, in their order and in one command; returns how many were added. */
  appendMany(tx: Transaction, messages: readonly AnyOutboxMessage[]): Promise<number>;
}

/** Time that published rows are kept, as the memory of emitted messages. */
const PUBLISHED_TTL_SECONDS = 7 * 24 * 3600;
const APPENDED = 'appended';

const appendedEvents = new WeakMap<Database, EventEmitter>();

export function outboxCollection(database: Database): mongo.Collection<OutboxRow> {
  return nativeDb(database.connection).collection<OutboxRow>('outbox');
}

/** Creates the outbox of a service's database: its messages are part of the transaction that they report. */
export function createOutbox(database: Database): Outbox {
  const rows = outboxCollection(database);
  const appendMany: Outbox['appendMany'] = async (tx, messages) => {
    if (messages.length === 0) return 0;
    const { upsertedCount } = await rows.bulkWrite(messages.map(rowUpsert), { session: tx });
    if (upsertedCount > 0) database.afterCommit(tx, () => eventsOf(database).emit(APPENDED));
    return upsertedCount;
  };
  return {
    appendMany,
    append: async (tx, spec, message) => (await appendMany(tx, [outboxMessage(spec, message)])) > 0,
  };
}

/** Upserts, because a duplicate key error would abort the transaction. */
function rowUpsert({ spec, key, projectId, requestId, occurredAt, data }: AnyOutboxMessage) {
  const { type, version } = spec;
  const id = `${type}:${key}`;
  const envelope: Envelope<unknown> = { id, type, version, occurredAt, projectId, requestId, data };
  envelopeSchema(spec).parse(envelope);
  const span = currentSpan();
  const row: Omit<OutboxRow, '_id'> = {
    seq: newId('evt'),
    state: 'pending',
    exchange: EXCHANGE_OF_KIND[spec.kind],
    routingKey: routingKeyOf(spec),
    body: JSON.stringify(envelope),
    at: new Date(),
    ...(span === undefined ? {} : { traceparent: span.traceparent }),
  };
  return { updateOne: { filter: { _id: id }, update: { $setOnInsert: row }, upsert: true } };
}

/** Calls the listener when a transaction of this process has added messages; returns the function that unsubscribes. */
export function onOutboxAppended(database: Database, listener: () => void): () => void {
  const events = eventsOf(database);
  events.on(APPENDED, listener);
  return () => events.off(APPENDED, listener);
}

/** Creates the collection of the outbox and its indexes; for use in a migration. */
export async function ensureOutbox(connection: Connection): Promise<void> {
  await nativeDb(connection)
    .collection<OutboxRow>('outbox')
    .createIndexes([
      { key: { seq: 1 }, name: 'pending_seq', partialFilterExpression: { state: 'pending' } },
      { key: { retryAt: 1 }, name: 'deferred_retryAt', partialFilterExpression: { state: 'deferred' } },
      { key: { at: 1 }, name: 'deferred_at', partialFilterExpression: { state: 'deferred' } },
      { key: { publishedAt: 1 }, name: 'publishedAt_ttl', expireAfterSeconds: PUBLISHED_TTL_SECONDS },
    ]);
}

function eventsOf(database: Database): EventEmitter {
  let events = appendedEvents.get(database);
  if (events === undefined) {
    events = new EventEmitter();
    appendedEvents.set(database, events);
  }
  return events;
}
