import { userChanged } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Outbox, Transaction } from '@clew/persistence';
import type { AuditEntry, AuditLog } from '../audit/audit.ts';
import type { StoredUser } from '../people/user.ts';
import type { RequestOrigin } from '../request-origin.ts';
import { membershipIn } from './member.ts';

/** Kind of a change, as the audit names it. */
export interface PersonDeed {
  action: Extract<AuditEntry['action'], `person.${string}` | `member.${string}`>;
  /** Project in which a role changed. */
  projectId?: string;
}

/** States of a person before and after a change; undefined is one who is not there. */
export interface PersonStates {
  before: StoredUser | undefined;
  after: StoredUser | undefined;
}

/** Records changes of people, in the transaction of the change. */
export interface PersonJournal {
  /** Writes an audit entry with what has changed. */
  record(
    tx: Transaction,
    actor: { principal: { kind: 'user' | 'key'; id: string }; workspaceId: string; origin: RequestOrigin },
    deed: PersonDeed & { userId: string },
    states: PersonStates,
  ): Promise<void>;
  /** Tells every gateway to read the person anew. */
  announce(tx: Transaction, user: Pick<StoredUser, 'id' | 'version'>, origin: RequestOrigin): Promise<void>;
}

export function createPersonJournal({
  audit,
  outbox,
  clock,
}: {
  audit: AuditLog;
  outbox: Outbox;
  clock: Clock;
}): PersonJournal {
  return {
    async record(tx, { principal, workspaceId, origin }, { action, projectId, userId }, states) {
      const [before, after] = differences(states, projectId);
      await audit.append(tx, {
        ...{ workspaceId, actorId: principal.id, action, targetId: userId, ...origin },
        ...{ before, after, at: clock.now() },
      });
    },
    async announce(tx, { id, version }, origin) {
      await outbox.append(tx, userChanged, {
        key: `${id}:${version}`,
        projectId: '',
        requestId: origin.requestId,
        occurredAt: clock.now(),
        data: { userId: id },
      });
    },
  };
}

type Shown = Record<string, unknown> | null;

/** Returns the parts of a person that differ; of a change in a project, the roles there. */
function differences({ before, after }: PersonStates, projectId: string | undefined): [Shown, Shown] {
  const [left, right] = [shownOf(before, projectId), shownOf(after, projectId)];
  if (left === null || right === null) return [left, right];
  const names = Object.keys(left).filter((name) => JSON.stringify(left[name]) !== JSON.stringify(right[name]));
  const pick = (shown: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, shown[name]]));
  return [pick(left), pick(right)];
}

function shownOf(user: StoredUser | undefined, projectId: string | undefined): Shown {
  if (user === undefined) return null;
  if (projectId !== undefined) return { role: membershipIn(user, projectId)?.role ?? null };
  const { email, name, owner, state, memberships } = user;
  return { email, name, owner, state, memberships };
}
