import type { AuditActor } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import type { AuditLog } from '../audit/audit.ts';
import type { PeopleJournal } from '../people/people-journal.ts';
import type { StoredUser } from '../people/user.ts';
import type { RequestOrigin } from '../request-origin.ts';
import { deedsOf } from './person-deeds.ts';

/** State of a person before and after a change; undefined is one who is not there. */
export interface PersonStates {
  before: StoredUser | undefined;
  after: StoredUser | undefined;
}

/** Records changes of people, in the transaction of the change. */
export interface PersonJournal {
  /** Writes to the audit what was done, and tells every gateway to read the person anew. */
  changed(tx: Transaction, by: { actor: AuditActor; origin: RequestOrigin }, states: PersonStates): Promise<void>;
}

export interface PersonJournalDependencies {
  audit: AuditLog;
  people: Pick<PeopleJournal, 'announceUser'>;
  clock: Clock;
}

export function createPersonJournal({ audit, people, clock }: PersonJournalDependencies): PersonJournal {
  return {
    async changed(tx, { actor, origin }, { before, after }) {
      const user = after ?? before;
      if (user === undefined) return;
      const now = clock.now();
      const { workspaceId, id } = user;
      for (const deed of deedsOf(before, after)) {
        await audit.append(tx, { workspaceId, actor, target: { kind: 'person', id }, ...deed, ...origin, at: now });
      }
      if (before === undefined) return;
      // The version after a removal is one that no change of the person has had.
      const version = after?.version ?? before.version + 1;
      await people.announceUser(tx, { id, version }, origin, now);
    },
  };
}
