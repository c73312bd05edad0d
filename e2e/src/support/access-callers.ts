import { SCOPES, type ApiKey, type Role, type Scope } from '@clew/contracts';
import type { AccessRow } from '@clew/testing/access';
import { callApi } from './api.ts';
import { newColleague, signInOwner, type SignedInPerson } from './colleagues.ts';
import { withMongo } from './database.ts';
import { createKey } from './test-project.ts';
import { runningStack } from './stack.ts';

/** Key, person or nobody that a credential stands for. */
export type Behind =
  | { kind: 'key'; scopes: readonly Scope[] }
  | { kind: 'person'; role: Role | 'owner' | 'none'; isOfOtherOrigin?: true }
  | { kind: 'nobody' };

/** Credential of a request, and who it stands for. */
export interface AccessCaller {
  name: string;
  headers: Readonly<Record<string, string>>;
  behind: Behind;
}

const HERE = { 'sec-fetch-site': 'same-origin' };
const ELSEWHERE = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}`, ...HERE });

/** Makes a caller of every kind for a project: keys by their scopes, people by their role, and all that is over. */
export async function makeCallers(projectId: string, rows: readonly AccessRow[]): Promise<AccessCaller[]> {
  const owner = await signInOwner();
  return [
    ...(await makeKeys(projectId, rows)),
    ...(await makePeople(projectId, owner)),
    ...(await makeDeadKeys(projectId)),
    ...(await makeDeadPeople(projectId, owner)),
    ...malformed(owner),
  ];
}

async function makeKeys(projectId: string, rows: readonly AccessRow[]): Promise<AccessCaller[]> {
  const needed = rows.filter(({ scopes }) => scopes.length > 0 && scopes.length < SCOPES.length);
  const others = needed.map(({ scopes }) => SCOPES.filter((scope) => !scopes.includes(scope)));
  const sets = [...SCOPES.map((scope) => [scope]), [...SCOPES], ...others];
  const distinct = new Map(sets.map((scopes) => [scopes.join(' '), scopes]));
  const keys = await Promise.all([...distinct.values()].map((scopes) => keyWith(projectId, scopes)));
  const bare = await createKey(projectId, { name: 'no scope' });
  await changeKey(bare.apiKey, { scopes: [] });
  return [...keys, { name: 'a key with no scope', headers: bearer(bare.secret), behind: { kind: 'key', scopes: [] } }];
}

async function keyWith(projectId: string, scopes: Scope[]): Promise<AccessCaller> {
  const { secret } = await createKey(projectId, { name: 'some scopes', scopes });
  return { name: `a key with ${scopes.join(', ')}`, headers: bearer(secret), behind: { kind: 'key', scopes } };
}

async function makePeople(projectId: string, owner: SignedInPerson): Promise<AccessCaller[]> {
  const roles: Role[] = ['viewer', 'editor', 'admin'];
  const members = await Promise.all(roles.map(async (role) => personAs(role, await memberOf(projectId, role, owner))));
  const stranger = await memberOf(projectId, 'viewer', owner);
  await owner.call('DELETE', `/v1/projects/${projectId}/members/${stranger.person.id}`);
  return [
    ...members,
    personAs('none', stranger),
    personAs('owner', owner),
    {
      name: 'an owner on a page of another origin',
      headers: { cookie: owner.cookie, ...ELSEWHERE },
      behind: { kind: 'person', role: 'owner', isOfOtherOrigin: true },
    },
  ];
}

function memberOf(projectId: string, role: Role, owner: SignedInPerson): Promise<SignedInPerson> {
  return newColleague(owner, { projectRoles: [{ projectId, role }] });
}

function personAs(role: Role | 'owner' | 'none', { cookie }: SignedInPerson): AccessCaller {
  const name = role === 'none' ? 'a member of no project' : `the role ${role}`;
  return { name, headers: { cookie, ...HERE }, behind: { kind: 'person', role } };
}

const dead = (name: string, headers: Record<string, string>): AccessCaller => ({
  ...{ name, headers: { ...HERE, ...headers } },
  behind: { kind: 'nobody' },
});

async function makeDeadKeys(projectId: string): Promise<AccessCaller[]> {
  const revoked = await createKey(projectId, { name: 'revoked' });
  await callApi(runningStack().adminApiKey, `/v1/projects/${projectId}/api-keys/${revoked.apiKey.id}`, {
    method: 'DELETE',
  });
  const expired = await createKey(projectId, { name: 'expired' });
  await changeKey(expired.apiKey, { expiresAt: Date.now() - 1 });
  return [dead('a revoked key', bearer(revoked.secret)), dead('an expired key', bearer(expired.secret))];
}

async function makeDeadPeople(projectId: string, owner: SignedInPerson): Promise<AccessCaller[]> {
  const [expired, signedOut, closed] = await Promise.all([
    memberOf(projectId, 'admin', owner),
    memberOf(projectId, 'admin', owner),
    memberOf(projectId, 'admin', owner),
  ]);
  await changeStored('sessions', { userId: expired.person.id }, { idleUntil: Date.now() - 1 });
  await signedOut.call('POST', '/v1/auth/sign-out');
  const key = await closed.call<{ secret: string }>('POST', `/v1/projects/${projectId}/api-keys`, {
    ...{ name: 'of somebody who leaves', scopes: ['workspace:read', 'diagnostics:read', 'models:manage'] },
  });
  if (key.status !== 201) throw new Error(`No key was made: ${key.status}`);
  await owner.call('PATCH', `/v1/people/${closed.person.id}`, { state: 'deactivated' });
  return [
    dead('an expired session', { cookie: expired.cookie }),
    dead('a session that was signed out', { cookie: signedOut.cookie }),
    dead('a deactivated person', { cookie: closed.cookie }),
    dead('the key of a deactivated person', bearer(key.body.secret)),
  ];
}

function malformed({ cookie }: SignedInPerson): AccessCaller[] {
  return [
    dead('nothing', {}),
    dead('an unknown key', bearer(`clew_live_${'0'.repeat(40)}`)),
    dead('another kind of credential', { authorization: 'Basic b3duZXI6b3duZXI=' }),
    dead('an unknown session', { cookie: `clew_session=${'0'.repeat(43)}` }),
    dead('two sessions at once', { cookie: `${cookie}; clew_session=${'0'.repeat(43)}` }),
    dead('a bad key beside a good session', { cookie, authorization: 'Bearer nothing' }),
  ];
}

function changeKey({ id }: ApiKey, fields: object): Promise<void> {
  return changeStored('api_keys', { _id: id }, fields);
}

/** Changes what no call of the API can: time does not pass in a test. */
async function changeStored(collection: string, filter: object, fields: object): Promise<void> {
  await withMongo((connection) =>
    connection.useDb('clew_gateway').collection(collection).updateMany(filter, { $set: fields }),
  );
}
