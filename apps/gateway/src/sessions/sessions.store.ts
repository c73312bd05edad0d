import type { Database, Transaction } from '@clew/persistence';
import { fromSessionDocument, sessionModel, toSessionDocument } from './session.model.ts';
import { SESSION_IDLE_MS, type StoredSession } from './session.ts';

export interface SessionStore {
  insert(tx: Transaction, session: StoredSession): Promise<void>;
  findByHash(hash: string): Promise<StoredSession | undefined>;
  /** Lists the sessions of a person, newest first; the database may still have some that have ended. */
  ofUser(userId: string, tx?: Transaction): Promise<StoredSession[]>;
  /** Removes sessions of a person: those named, or all but one. Resolves with the removed ones. */
  remove(
    tx: Transaction,
    userId: string,
    which: { ids: readonly string[] } | { allBut: string | undefined },
  ): Promise<StoredSession[]>;
  /** Notes the use of a session, which moves its end on. */
  touch(session: StoredSession, nowMs: number): Promise<void>;
}

/** Beyond what one person can have, with some to spare for sign-ins at the same moment. */
const MAX_READ = 200;

export function createSessionStore(database: Database): SessionStore {
  const model = sessionModel(database.connection);

  async function ofUser(userId: string, tx?: Transaction): Promise<StoredSession[]> {
    const documents = await model
      .find({ userId })
      .sort({ createdAt: -1, _id: -1 })
      .limit(MAX_READ)
      .session(tx ?? null)
      .lean();
    return documents.map(fromSessionDocument);
  }

  return {
    ofUser,
    async insert(tx, session) {
      await model.create([toSessionDocument(session)], { session: tx });
    },
    async findByHash(hash) {
      const document = await model.findById(hash).lean();
      return document === null ? undefined : fromSessionDocument(document);
    },
    async remove(tx, userId, which) {
      const all = await ofUser(userId, tx);
      const leaving = all.filter(({ id }) => ('ids' in which ? which.ids.includes(id) : id !== which.allBut));
      if (leaving.length > 0) {
        await model.deleteMany({ _id: { $in: leaving.map(({ hash }) => hash) } }).session(tx);
      }
      return leaving;
    },
    async touch({ hash, until }, nowMs) {
      const idleUntil = nowMs + SESSION_IDLE_MS;
      const expiresAt = new Date(Math.min(idleUntil, until));
      await model.updateOne({ _id: hash }, { $max: { lastSeenAt: nowMs, idleUntil, expiresAt } });
    },
  };
}
