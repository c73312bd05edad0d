import { createSecretKey } from 'node:crypto';
import { deriveSecret, newId, type ErrorBody } from '@clew/kernel';
import type { Membership } from '@clew/contracts';
import { emailKeyOf, type StoredUser } from '../people/user.ts';
import { createUserStore } from '../people/users.store.ts';
import { createSessionCookie } from '../sessions/session-cookie.ts';
import { newSession } from '../sessions/session.ts';
import { createSessionStore } from '../sessions/sessions.store.ts';
import { createTokens } from '../sessions/tokens.ts';
import type { Answer, TestGateway } from './gateway.ts';

/** Person of tests, signed in. */
export interface TestPerson {
  user: StoredUser;
  /** Header `Cookie` of their session. */
  cookie: string;
  /** Sends a request as their browser does, to that replica or to the first. */
  ask<Body = ErrorBody>(method: string, path: string, body?: unknown, at?: TestGateway): Promise<Answer<Body>>;
}

export interface NewTestPerson {
  workspaceId: string;
  owner?: boolean;
  memberships?: Membership[];
  nowMs?: number;
}

let people = 0;
let requests = 0;

/** Address of nobody else, so that the failures of one test make no other wait, behind a trusted proxy. */
function newAddress(): string {
  requests += 1;
  return `10.${requests >> 16}.${(requests >> 8) & 255}.${requests & 255}`;
}

/** Makes a person and opens a session of theirs. */
export async function makePerson(
  gateway: TestGateway,
  { workspaceId, owner = false, memberships = [], nowMs: now = Date.now() }: NewTestPerson,
): Promise<TestPerson> {
  people += 1;
  const email = `person-${people}@example.com`;
  const user: StoredUser = {
    ...{ id: newId('usr'), workspaceId, email, emailKey: emailKeyOf(email), name: `Person ${people}`, owner },
    ...{ state: 'active', memberships, identities: [], createdAt: now, updatedAt: now },
    ...{ credentials: [], lastSignedInAt: null, version: 1 },
  };
  const tokens = createTokens(createSecretKey(deriveSecret(gateway.config.AUTH_SECRET, 'session/v1')));
  const { value, hash } = tokens.make('session');
  const origin = { address: null, userAgent: null };
  await gateway.database.withTransaction(async (tx) => {
    await createUserStore(gateway.database).insert(tx, user);
    const session = newSession(user.id, 'password', origin, { hash, nowMs: now });
    await createSessionStore(gateway.database).insert(tx, session);
  });
  const cookie = `${createSessionCookie(gateway.config.PUBLIC_URL).name}=${value}`;
  return { user, cookie, ask: (method, path, body, at = gateway) => askWith(at.url, { cookie }, method, path, body) };
}

/** Sends a request as a page of the deployment does. */
export async function askWith<Body = ErrorBody>(
  url: string,
  headers: Record<string, string>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<Body>> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': newAddress(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (text === '' ? null : JSON.parse(text)) as Body };
}
