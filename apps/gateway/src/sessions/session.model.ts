import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';
import { endOf, type StoredSession } from './session.ts';

export type SessionDocument = Omit<StoredSession, 'hash' | 'id'> & {
  _id: string;
  sessionId: string;
  /** End of the session, after which the database removes it. */
  expiresAt: Date;
};

const sessionSchema = new Schema<SessionDocument>(
  {
    _id: { type: String, required: true },
    sessionId: { type: String, required: true },
    userId: { type: String, required: true },
    method: { type: String, required: true },
    createdAt: { type: Number, required: true },
    lastSeenAt: { type: Number, required: true },
    idleUntil: { type: Number, required: true },
    until: { type: Number, required: true },
    ip: { type: String, default: null },
    userAgent: { type: String, default: null },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'sessions', versionKey: false },
);
sessionSchema.index({ userId: 1, createdAt: -1, _id: -1 });
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function sessionModel(connection: Connection): Model<SessionDocument> {
  return modelOf(connection, 'Session', sessionSchema);
}

export function toSessionDocument(session: StoredSession): SessionDocument {
  const { hash, id, ...rest } = session;
  return { _id: hash, sessionId: id, ...rest, expiresAt: new Date(endOf(session)) };
}

export function fromSessionDocument({ _id, sessionId, expiresAt: _, ...rest }: SessionDocument): StoredSession {
  return { hash: _id, id: sessionId, ...rest };
}
