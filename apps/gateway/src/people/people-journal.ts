import { sessionChanged, userChanged, type AuditAction, type AuditActor, type AuditTarget } from '@clew/contracts';
import type { Outbox, Transaction } from '@clew/persistence';
import type { AuditLog } from '../audit/audit.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { StoredUser } from './user.ts';

export interface PeopleDeed {
  action: Extract<AuditAction, `${'person' | 'session' | 'one-time-link'}.${string}`>;
  workspaceId: string;
  actor: AuditActor;
  target: AuditTarget;
  origin: RequestOrigin;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  nowMs: number;
}

/** Records changes to people and sessions, in the transaction of the change. */
export interface PeopleJournal {
  record(tx: Transaction, deed: PeopleDeed): Promise<void>;
  /** Tells every gateway to read a changed person anew. */
  announceUser(
    tx: Transaction,
    user: Pick<StoredUser, 'id' | 'version'>,
    origin: RequestOrigin,
    nowMs: number,
  ): Promise<void>;
  /** Tells every gateway to forget an ended session. */
  announceSession(tx: Transaction, sessionId: string, origin: RequestOrigin, nowMs: number): Promise<void>;
}

export function createPeopleJournal({ audit, outbox }: { audit: AuditLog; outbox: Outbox }): PeopleJournal {
  return {
    async record(tx, { origin, nowMs, before = null, after = null, ...deed }) {
      const { address, requestId } = origin;
      await audit.append(tx, { ...deed, projectId: null, address, requestId, before, after, at: nowMs });
    },
    async announceUser(tx, { id, version }, { requestId }, nowMs) {
      const message = { projectId: '', requestId, occurredAt: nowMs, data: { userId: id } };
      await outbox.append(tx, userChanged, { key: `${id}:${version}`, ...message });
    },
    async announceSession(tx, sessionId, { requestId }, nowMs) {
      const message = { projectId: '', requestId, occurredAt: nowMs, data: { sessionId } };
      await outbox.append(tx, sessionChanged, { key: sessionId, ...message });
    },
  };
}

/** Actor of what people do to themselves. */
export function userActor({ id }: Pick<StoredUser, 'id'>): AuditActor {
  return { kind: 'user', id };
}
