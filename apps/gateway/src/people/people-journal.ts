import { sessionChanged, userChanged, type AuditAction, type AuditActor, type AuditTarget } from '@clew/contracts';
import type { Outbox, Transaction } from '@clew/persistence';
import type { AuditLog } from '../audit/audit.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { StoredUser } from './user.ts';

export interface PeopleDeed {
  action: Extract<AuditAction, `${'person' | 'session' | 'one-time-link'}.${string}`>;
  workspaceId: string;
  /** Id of the person or key that did it, or `bootstrap`. */
  actorId: string;
  targetId: string;
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
    async record(tx, { origin, nowMs, before = null, after = null, actorId, targetId, ...deed }) {
      const { address, requestId } = origin;
      const about = { projectId: null, actor: actorNamed(actorId), target: targetNamed(targetId) };
      await audit.append(tx, { ...deed, ...about, address, requestId, before, after, at: nowMs });
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

function actorNamed(id: string): AuditActor {
  if (id === 'bootstrap') return { kind: 'bootstrap', id };
  return { kind: id.startsWith('key_') ? 'key' : 'user', id };
}

function targetNamed(id: string): AuditTarget {
  return { kind: id.startsWith('ses_') ? 'session' : 'person', id };
}
