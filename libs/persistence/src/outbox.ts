import { EventEmitter } from 'node:events';
import type { mongo } from 'mongoose';
import {
  envelopeSchema,
  EXCHANGE_OF_KIND,
  routingKeyOf,
  type Envelope,
  type EnvelopeOf,
  type MessageSpec,
} from '@clew/contracts';
import { newId } from '@clew/kernel';
import { nativeDb, type Database, type Transaction } from './database.ts';
import type { Migration } from './migrations.ts';

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
  /** The JSON text of the envelope. */
  body: string;
  at: Date;
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
  return {
    async append(tx, spec, { key, ...content }) {
      const id = `${spec.type}:${key}`;
      const envelope: Envelope<unknown> = { id, type: spec.type, version: spec.version, ...content };
      envelopeSchema(spec).parse(envelope);
      // An upsert, since a duplicate key error would abort the transaction.
      const { upsertedCount } = await rows.updateOne(
        { _id: id },
        {
          $setOnInsert: {
            seq: newId('evt'),
            state: 'pending',
            exchange: EXCHANGE_OF_KIND[spec.kind],
            routingKey: routingKeyOf(spec),
            body: JSON.stringify(envelope),
            at: new Date(),
          },
        },
        { upsert: true, session: tx },
      );
      if (upsertedCount === 0) return false;
      database.afterCommit(tx, () => eventsOf(database).emit(APPENDED));
      return true;
    },
  };
}

/** Tells when a transaction of this process has added messages; returns the function that ends it. */
export function onOutboxAppended(database: Database, listener: () => void): () => void {
  const events = eventsOf(database);
  events.on(APPENDED, listener);
  return () => events.off(APPENDED, listener);
}

/** The collection and indexes of the outbox, as one migration of the service that has it. */
export function outboxMigration(id: string): Migration {
  return {
    id,
    async up(connection) {
      await nativeDb(connection)
        .collection<OutboxRow>('outbox')
        .createIndexes([
          { key: { seq: 1 }, name: 'pending_seq', partialFilterExpression: { state: 'pending' } },
          { key: { retryAt: 1 }, name: 'deferred_retryAt', partialFilterExpression: { state: 'deferred' } },
          { key: { at: 1 }, name: 'deferred_at', partialFilterExpression: { state: 'deferred' } },
          { key: { publishedAt: 1 }, name: 'publishedAt_ttl', expireAfterSeconds: PUBLISHED_TTL_SECONDS },
        ]);
    },
  };
}

function eventsOf(database: Database): EventEmitter {
  let events = appendedEvents.get(database);
  if (events === undefined) {
    events = new EventEmitter();
    appendedEvents.set(database, events);
  }
  return events;
}
