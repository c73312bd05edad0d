import type { Membership } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { createOutbox } from '@clew/persistence';
import { createAuditLog } from '../audit/audit.ts';
import { createPasswordHasher } from '../passwords/password-hasher.ts';
import { createPeopleJournal } from '../people/people-journal.ts';
import type { StoredUser } from '../people/user.ts';
import { createUserStore } from '../people/users.store.ts';
import { newOwner } from '../sign-in/first-owner.ts';
import type { TestGateway } from './gateway.ts';

export const TEST_PASSWORD = 'four words for a test';
const hasher = createPasswordHasher({ maxAtOnce: 1, maxWaiting: 1_000 });
let passwordHash: Promise<string> | undefined;

/** Puts a person with `TEST_PASSWORD` into the database; without memberships an owner. */
export async function addPerson(
  { database }: TestGateway,
  workspaceId: string,
  memberships: Membership[] | 'owner' = 'owner',
): Promise<StoredUser> {
  passwordHash ??= hasher.hash(TEST_PASSWORD);
  const email = `${newId('usr').toLowerCase()}@example.org`;
  const owner = newOwner(workspaceId, { email, name: 'Ada', passwordHash: await passwordHash }, Date.now());
  const user = { ...owner, owner: memberships === 'owner', memberships: memberships === 'owner' ? [] : memberships };
  await database.withTransaction((tx) => createUserStore(database).insert(tx, user));
  return user;
}

/** Changes a person as the services do: in a transaction, with the message that tells every gateway. */
export async function changePerson(
  { database }: TestGateway,
  userId: string,
  change: (user: StoredUser) => StoredUser,
): Promise<void> {
  const journal = createPeopleJournal({ audit: createAuditLog(database), outbox: createOutbox(database) });
  await database.withTransaction(async (tx) => {
    const changed = await createUserStore(database).update(tx, userId, change, Date.now());
    if (changed === undefined) throw new Error('There is no such person');
    await journal.announceUser(tx, changed, { address: null, requestId: newId('req') }, Date.now());
  });
}
