import { createSecretKey } from 'node:crypto';
import { newId } from '@clew/kernel';
import type { Membership } from '@clew/contracts';
import type { StoredUser } from '../people/user.ts';
import { newSession, type StoredSession } from '../sessions/session.ts';
import { createTokens } from '../sessions/tokens.ts';
import { WORKSPACE } from './keys.ts';

export const PUBLIC_URL = 'https://clew.example';
export const TOKENS = createTokens(createSecretKey(Buffer.alloc(32, 9)));
const COOKIE_NAME = '__Host-clew_session';

export interface TestPerson {
  user: StoredUser;
  session: StoredSession;
  /** Header `Cookie` of the browser in which the person is signed in. */
  cookie: string;
}

/** Person with a session, apart from the overrides; without memberships an owner. */
export function testPerson(memberships: Membership[] | 'owner' = 'owner', nowMs = Date.now()): TestPerson {
  const id = newId('usr');
  const user: StoredUser = {
    ...{ id, workspaceId: WORKSPACE, email: `${id}@example.org`, emailKey: `${id}@example.org`.toLowerCase() },
    ...{ name: 'Ada', owner: memberships === 'owner', state: 'active', credentials: [], identities: [] },
    memberships: memberships === 'owner' ? [] : memberships,
    ...{ createdAt: nowMs, updatedAt: nowMs, lastSignedInAt: null, version: 1 },
  };
  const { value, hash } = TOKENS.make('session');
  const session = newSession(id, 'password', { address: null, userAgent: null }, { hash, nowMs });
  return { user, session, cookie: `${COOKIE_NAME}=${value}` };
}

/** Stores with these people, from memory. */
export function memoryPeople(people: readonly TestPerson[]) {
  return {
    sessions: {
      findByHash: async (hash: string) => people.find(({ session }) => session.hash === hash)?.session,
      touch: async () => undefined,
    },
    users: { get: async (userId: string) => people.find(({ user }) => user.id === userId)?.user },
  };
}
