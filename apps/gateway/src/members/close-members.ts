import type { Clock } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { userModel } from '../people/user.model.ts';
import type { PeopleJournal } from '../people/people-journal.ts';

/** Takes a deleted project out of the memberships of some people. Resolves with their number; 0 if none is left. */
export type CloseMembers = (projectId: string) => Promise<number>;

export interface CloseMembersDependencies {
  database: Database;
  people: Pick<PeopleJournal, 'announceUser'>;
  clock: Clock;
}

const PEOPLE_AT_A_TIME = 200;

export function createCloseMembers({ database, people, clock }: CloseMembersDependencies): CloseMembers {
  const model = userModel(database.connection);
  return (projectId) =>
    database.withTransaction(async (tx) => {
      const found = await model
        .find({ 'memberships.projectId': projectId }, { version: 1 })
        .limit(PEOPLE_AT_A_TIME)
        .session(tx)
        .lean();
      if (found.length === 0) return 0;
      const now = clock.now();
      const change = { $pull: { memberships: { projectId } }, $inc: { version: 1 }, $set: { updatedAt: now } };
      await model.updateMany({ _id: { $in: found.map(({ _id }) => _id) } }, change).session(tx);
      const origin = { address: null, requestId: `erasure of ${projectId}` };
      for (const { _id: id, version } of found) {
        await people.announceUser(tx, { id, version: version + 1 }, origin, now);
      }
      return found.length;
    });
}
