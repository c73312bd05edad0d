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

/** A message that waits to be published, or was. */
export interface OutboxRow {
  /** `<type>:<key>`; also the id of the message. */
  _id: string;
  /** Grows with time: the order of publishing. */
  seq: string;
  /** `deferred`: the broker would not take it; tried again from `retryAt` on, so that it holds up no other row. */
  state: 'pending' | 'deferred' | 'published';
  exchange: string;
  routingKey: string;
  /** The JSON text of the envelope; empty once it was published: a memory of what was emitted needs no words. */
  body: string;
  at: Date;
  /** Of the request that wrote it, where that is traced. */
  traceparent?: string;
  failures?: number;
  retryAt?: Date;
  lastError?: string;
  publishedAt?: Date;
}

export interface OutboxMessage<Data> {
  /** What makes the message the only one of its type: the same type and key are published once. */
  key: string;
  projectId: string;
  requestId: string | null;
  data: Data;
  /** Unix epoch milliseconds. */
  occurredAt: number;
}

/** A message of some type, as `appendMany` takes it. */
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
   * Adds a message to the transaction: it is published if, and only if, the transaction commits. Returns false, and adds
   * nothing, when a message of that type and key was already added within the last 7 days. Throws a ZodError for data
   * that does not fit the message's schema.
   */
  append<Spec extends MessageSpec>(
    tx: Transaction,
    spec: Spec,
    message: OutboxMessage<EnvelopeOf<Spec>['data']>,
  ): Promise<boolean>;
  /** The same for many messages, in their order and in one command; returns how many were added. */
  appendMany(tx: Transaction, messages: readonly AnyOutboxMessage[]): Promise<number>;
}

/** Published rows are kept this long, as the memory of what was emitted. */
const PUBLISHED_TTL_SECONDS = 7 * 24 * 3600;
const APPENDED = 'appended';

const appendedEvents = new WeakMap<Database, EventEmitter>();

export function outboxCollection(database: Database): mongo.Collection<OutboxRow> {
  return nativeDb(database.connection).collection<OutboxRow>('outbox');
}

/** The outbox of a service's database: messages that are part of the transaction that they tell about. */
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

/** An upsert, since a duplicate key error would abort the transaction. */
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

/** Tells when a transaction of this process has added messages; returns the function that ends it. */
export function onOutboxAppended(database: Database, listener: () => void): () => void {
  const events = eventsOf(database);
  events.on(APPENDED, listener);
  return () => events.off(APPENDED, listener);
}

/** Makes the collection of the outbox and its indexes; for use in a migration. */
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
