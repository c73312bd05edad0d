import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  findingChanged,
  conversationReady,
  type ApiKey,
  type EnvelopeOf,
  type Project,
  type Role,
} from '@clew/contracts';
import { newId } from '@clew/kernel';
import { createOutbox } from '@clew/persistence';
import { eventually, useTestEnvironment, type TcpFault } from '@clew/testing';
import type { BootstrapResult } from '../bootstrap.ts';
import { listenTo, type TestListener } from '../test-support/change-stream.ts';
import {
  makeWorkspace,
  startTestGateway,
  startTestReplicas,
  type TestGateway,
  type TestReplicas,
} from '../test-support/gateway.ts';
import { changePerson } from '../test-support/people-of.ts';
import { makePerson, type TestPerson } from '../test-support/persons.ts';

const environment = useTestEnvironment();
const opened: TestListener[] = [];
let replicas: TestReplicas;
let here: TestGateway;
let there: TestGateway;
let fault: TcpFault;
let stack: BootstrapResult;

beforeAll(async () => {
  replicas = await startTestReplicas(environment);
  ({ here, there, fault } = replicas);
  stack = await makeWorkspace(here.database);
});
afterEach(() => opened.splice(0).forEach((listener) => listener.stop()));
afterAll(() => replicas.stop());

async function listen(
  gateway: TestGateway,
  headers: Record<string, string>,
  projectId = stack.projectId,
): Promise<TestListener> {
  const listener = await listenTo(gateway.url, projectId, headers);
  opened.push(listener);
  if (listener.status === 200) await listener.hears('ready');
  return listener;
}

const otherProjectId = () => stack.otherProjectId ?? '';
const withKey = (secret: string) => ({ authorization: `Bearer ${secret}` });

async function newKey(scopes: string[], more = {}, projectId = stack.projectId) {
  const path = `/v1/projects/${projectId}/api-keys`;
  const body = { name: 'n', scopes, ...more };
  const made = await here.ask<{ apiKey: ApiKey; secret: string }>(stack.adminApiKey, 'POST', path, body);
  expect(made.status).toBe(201);
  return { ...made.body, headers: withKey(made.body.secret) };
}

const member = (role: Role, projectId = stack.projectId) =>
  makePerson(here, { workspaceId: stack.workspaceId, memberships: [{ projectId, role }] });
const withCookie = ({ cookie }: TestPerson) => ({ cookie });

const exampleFinding: EnvelopeOf<typeof findingChanged>['data']['findings'][number] = {
  ...{ findingId: '', ruleId: 'rule_a', ruleKey: 'a', categoryKey: 'a', occurrenceCount: 1, conversationId: 'c' },
  ...{ reviewStatus: 'unreviewed', resolutionStatus: 'unresolved', severity: 'high', listed: true, sequence: 1 },
};

/** Publishes what the services would: a changed Finding and a conversation, named alike. */
async function change(name = newId('req'), projectId = stack.projectId): Promise<string> {
  const outbox = createOutbox(here.database);
  const common = { key: name, projectId, requestId: null, occurredAt: 1 };
  await here.database.withTransaction(async (tx) => {
    const findings = [{ ...exampleFinding, findingId: name }];
    await outbox.append(tx, findingChanged, { ...common, data: { findings } });
    const conversation = {
      ...{ conversationId: name, snapshotId: 's', contentHash: 'h', revision: 1, startedAt: 1, lastActivityAt: 1 },
      ...{ messageCount: 1, traceIds: [], messagesHash: 'm' },
    };
    await outbox.append(tx, conversationReady, { ...common, data: { conversations: [conversation] } });
  });
  return name;
}

describe('a change', () => {
  it('is heard at every replica, once, by those who listen to its project', async () => {
    const other = await listen(here, withKey(stack.adminApiKey), otherProjectId());
    const listeners = [await listen(here, withKey(stack.apiKey)), await listen(there, withKey(stack.apiKey))];
    const name = await change();
    for (const listener of listeners) {
      await listener.hears('finding', name);
      await listener.hears('conversation', name);
      expect(listener.events.filter(({ id }) => id === name)).toHaveLength(2);
    }
    await change('elsewhere', otherProjectId());
    await other.hears('finding', 'elsewhere');
    expect(other.events.map(({ id }) => id)).not.toContain(name);
  });

  it.each([
    [['diagnostics:read'], 'finding', 'conversation'],
    [['workspace:read'], 'conversation', 'finding'],
  ] as const)('is heard with the scopes %s alone if it is of a %s, and not of a %s', async (scopes, told, untold) => {
    const { headers } = await newKey([...scopes]);
    const [some, all] = [await listen(here, headers), await listen(here, withKey(stack.apiKey))];
    const name = await change();
    await all.hears(untold, name);
    await some.hears(told, name);
    const last = await change();
    await some.hears(told, last);
    expect(some.events.map(({ type }) => type)).not.toContain(untold);
  });

  it('comes over an answer that no proxy holds back', async () => {
    const { headers } = await listen(here, withKey(stack.apiKey));
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(headers.get('cache-control')).toBe('no-store, no-transform');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('content-encoding')).toBeNull();
  });

  it('that a replica cut off from the broker missed is made up for: its listeners are told to read all again', async () => {
    const listener = await listen(there, withKey(stack.apiKey));
    fault.block();
    await change();
    fault.unblock();
    await eventually(() => expect(listener.events.filter(({ type }) => type === 'ready').length).toBeGreaterThan(1), {
      timeoutMs: 20_000,
    });
    expect(listener.hasEnded()).toBe(false);
  });
});

describe('somebody who may not listen', () => {
  it('gets the same answer for a foreign project as for a missing one', async () => {
    const { headers } = await newKey(['workspace:read']);
    const foreign = await listen(here, headers, otherProjectId());
    const missing = await listen(here, headers, newId('prj'));
    expect([foreign.status, missing.status]).toEqual([404, 404]);
    const without = (listener: TestListener) => listener.text().replace(/"requestId":"[^"]*"/, '');
    await foreign.ends();
    await missing.ends();
    expect(without(foreign)).toBe(without(missing));
  });

  it.each([
    [401, {}],
    [401, { authorization: 'Bearer clew_test_none' }],
  ])('gets %i with %j', async (status, headers) => {
    expect((await listen(here, headers)).status).toBe(status);
  });

  it('with a key that may read nothing gets 403', async () => {
    const { headers } = await newKey(['telemetry:write']);
    expect((await listen(here, headers)).status).toBe(403);
  });
});

describe('the streams at every replica end', () => {
  const openedBy = async (headers: Record<string, string>, projectId = stack.projectId) => [
    await listen(here, headers, projectId),
    await listen(there, headers, projectId),
  ];
  const allEnd = async (listeners: TestListener[]) => {
    for (const listener of listeners) await listener.ends();
  };

  it('when their key is revoked, and those of others go on', async () => {
    const { headers, apiKey } = await newKey(['workspace:read']);
    const others = await openedBy(withKey(stack.apiKey));
    const listeners = await openedBy(headers);
    await here.ask(stack.adminApiKey, 'DELETE', `/v1/projects/${stack.projectId}/api-keys/${apiKey.id}`);
    await allEnd(listeners);
    expect(others.map((listener) => listener.hasEnded())).toEqual([false, false]);
  });

  it('when their session ends', async () => {
    const person = await member('viewer');
    const listeners = await openedBy(withCookie(person));
    expect((await person.ask('POST', '/v1/auth/sign-out')).status).toBeLessThan(300);
    await allEnd(listeners);
  });

  it('when the person is deactivated, also those of a key of theirs', async () => {
    const person = await member('admin');
    const path = `/v1/projects/${stack.projectId}/api-keys`;
    const made = await person.ask<{ secret: string }>('POST', path, { name: 'mine', scopes: ['workspace:read'] });
    expect(made.status).toBe(201);
    const listeners = [...(await openedBy(withCookie(person))), ...(await openedBy(withKey(made.body.secret)))];
    await changePerson(here, person.user.id, (user) => ({ ...user, state: 'deactivated' }));
    await allEnd(listeners);
  });

  it('when the person loses the project', async () => {
    const person = await member('viewer');
    const listeners = await openedBy(withCookie(person));
    const path = `/v1/projects/${stack.projectId}/members/${person.user.id}`;
    expect((await here.ask(stack.adminApiKey, 'DELETE', path)).status).toBeLessThan(300);
    await allEnd(listeners);
  });

  it('when the project is deleted, also those of an owner and of a key for all projects', async () => {
    const { body } = await here.ask<Project>(stack.adminApiKey, 'POST', '/v1/projects', { name: 'Doomed' });
    const owner = await makePerson(here, { workspaceId: stack.workspaceId, owner: true });
    const ofProject = await newKey(['workspace:read'], { projectIds: [body.id] }, body.id);
    const listeners = [
      ...(await openedBy(withCookie(owner), body.id)),
      ...(await openedBy(withKey(stack.adminApiKey), body.id)),
      ...(await openedBy(ofProject.headers, body.id)),
    ];
    expect((await here.ask(stack.adminApiKey, 'DELETE', `/v1/projects/${body.id}`)).status).toBe(202);
    await allEnd(listeners);
    expect((await listen(there, withCookie(owner), body.id)).status).toBe(404);
  });

  it('not when a role changes: from then on they hear what it lets them read', async () => {
    const person = await member('admin');
    const [listener] = await openedBy(withCookie(person));
    const first = await newKey(['workspace:read']);
    await here.ask(stack.adminApiKey, 'DELETE', `/v1/projects/${stack.projectId}/api-keys/${first.apiKey.id}`);
    await listener?.hears('apiKey', first.apiKey.id);
    const memberships = [{ projectId: stack.projectId, role: 'viewer' as const }];
    await changePerson(here, person.user.id, (user) => ({ ...user, memberships }));
    await eventually(() => expect(listener?.events.filter(({ type }) => type === 'ready')).toHaveLength(2), {
      timeoutMs: 15_000,
    });
    const second = await newKey(['workspace:read']);
    await here.ask(stack.adminApiKey, 'DELETE', `/v1/projects/${stack.projectId}/api-keys/${second.apiKey.id}`);
    const name = await change();
    await listener?.hears('finding', name);
    expect(listener?.events.map(({ id }) => id)).not.toContain(second.apiKey.id);
  });
});

describe('a replica', () => {
  it('has places for so many listeners, of one caller and of one project, and others keep theirs', async () => {
    const variables = { MAX_CHANGE_LISTENERS: '8', MAX_CONCURRENT_EVENT_STREAMS: '3' };
    const gateway = await startTestGateway(environment, { variables });
    const { projectId, otherProjectId: other, adminApiKey, apiKey } = await makeWorkspace(gateway.database);
    const statusOf = async (secret: string, project: string) =>
      (await listen(gateway, withKey(secret), project)).status;
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push(await statusOf(apiKey, projectId));
    expect(statuses).toEqual([200, 200, 200, 429]);
    for (let count = 0; count < 2; count += 1) expect(await statusOf(adminApiKey, other ?? '')).toBe(200);
    expect(await statusOf(adminApiKey, projectId)).toBe(200);
    await gateway.stop();
  });

  it('that stops ends its streams, so that its listeners go elsewhere', async () => {
    const gateway = await startTestGateway(environment);
    const { projectId, apiKey } = await makeWorkspace(gateway.database);
    const listener = await listen(gateway, withKey(apiKey), projectId);
    await gateway.stop();
    await listener.ends();
  });

  it('tells operators how many listen', async () => {
    const open = () => here.measured('clew_gateway_change_listeners');
    await eventually(async () => expect(await open()).toBe(0));
    await listen(here, withKey(stack.apiKey));
    expect(await open()).toBe(1);
    expect(await here.measured('clew_gateway_change_listeners_behind')).toBe(0);
    expect(await here.measured('clew_gateway_requests_in_flight')).toBe(0);
  });
});
