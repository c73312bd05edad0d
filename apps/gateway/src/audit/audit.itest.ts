import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deedRecorded, AUDIT_ACTIONS, AuditRecord, type AuditFilter } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { createAuditTrail, createOutbox, nativeDb, outboxCollection } from '@clew/persistence';
import { eventually, explainSent, fixedClock, monitored, useTestEnvironment } from '@clew/testing';
import type { BootstrapResult } from '../bootstrap.ts';
import { makeWorkspace, openTestDatabase, startTestGateway, type TestGateway } from '../test-support/gateway.ts';
import { removeExpired } from './audit-retention.ts';
import { createAuditLog, type RecordedDeed } from './audit.ts';
import { createAuditStore, type AuditReach } from './audit.store.ts';
import { createTakeDeeds } from './take-deeds.ts';
import { widenEntries } from './widen-entries.ts';

const environment = useTestEnvironment();
const DAY_MS = 24 * 3_600_000;
// Ahead of the entries of `bootstrap`, which takes its time from the system.
const clock = fixedClock(Date.now() + DAY_MS);
let gateway: TestGateway;
let stack: BootstrapResult;

interface Page {
  entries: AuditRecord[];
  nextCursor: string | null;
}

beforeAll(async () => {
  gateway = await startTestGateway(environment, { clock });
  stack = await makeWorkspace(gateway.database);
});

afterAll(() => gateway.stop());

const read = async (secret: string, query = '', path = '/v1/audit') => {
  const { status, body } = await gateway.ask<Page>(secret, 'GET', `${path}${query}`);
  expect(status).toBe(200);
  return body;
};

const collection = () => nativeDb(gateway.database.connection).collection<{ _id: string }>('audit');

function deedAt(at: number, parts: Partial<RecordedDeed> = {}): RecordedDeed {
  return {
    ...{ workspaceId: stack.workspaceId, projectId: stack.projectId, actor: { kind: 'user', id: 'usr_1' } },
    ...{ action: 'session.signed-in', target: { kind: 'session', id: 'ses_1' }, address: null, requestId: 'req_1' },
    ...{ before: null, after: null, at },
    ...parts,
  };
}

const write = (deeds: readonly RecordedDeed[]) =>
  gateway.database.withTransaction((tx) => createAuditLog(gateway.database).appendRecorded(tx, deeds));

describe('the audit', () => {
  it('is read newest first, page by page, by actor, action, area, target, project and time', async () => {
    clock.advance(10);
    const made = await gateway.ask<{ id: string }>(stack.adminApiKey, 'POST', '/v1/projects', { name: 'Made' });
    clock.advance(10);
    await gateway.ask(stack.adminApiKey, 'PATCH', `/v1/projects/${made.body.id}`, { name: 'Other' });
    const me = (await gateway.ask<{ id: string }>(stack.adminApiKey, 'GET', '/v1/me')).body.id;
    const renamed = {
      ...{ at: clock.now(), action: 'project.renamed', actor: { kind: 'key', id: me }, projectId: made.body.id },
      ...{ target: { kind: 'project', id: made.body.id }, address: '127.0.0.1', requestId: expect.any(String) },
      ...{ before: { name: 'Made' }, after: { name: 'Other' }, id: expect.stringMatching(/^aud_/) },
    };
    const [first, second] = [await read(stack.adminApiKey, '?limit=1'), await read(stack.adminApiKey, `?actor=${me}`)];
    expect(first.entries).toEqual([renamed]);
    expect(second.entries.map(({ action }) => action)).toEqual(['project.renamed', 'project.created']);
    const next = await read(stack.adminApiKey, `?limit=1&cursor=${first.nextCursor}`);
    expect(next.entries.map(({ action }) => action)).toEqual(['project.created']);
    const count = async (query: string) => (await read(stack.adminApiKey, query)).entries.length;
    expect(await count('?action=project')).toBe(4);
    expect(await count('?action=project.renamed')).toBe(1);
    expect(await count(`?target=${made.body.id}&action=project.created`)).toBe(1);
    expect(await count(`?projectId=${made.body.id}`)).toBe(2);
    expect(await count(`?actor=${me}&after=${clock.now()}`)).toBe(1);
    expect(await count(`?actor=${me}&before=${clock.now()}`)).toBe(1);
    expect(await count('?actor=bootstrap&action=api-key')).toBe(3);
  });

  it('refuses an action that there is not, and a cursor of other filters', async () => {
    const { nextCursor } = await read(stack.adminApiKey, '?limit=1');
    for (const query of ['?action=project.painted', `?limit=1&actor=x&cursor=${nextCursor}`, '?actor=', '?more=1']) {
      expect((await gateway.ask(stack.adminApiKey, 'GET', `/v1/audit${query}`)).status).toBe(400);
    }
  });

  it('shows a key for one project what concerns that project alone, and needs workspace:admin', async () => {
    const stranger = await makeWorkspace(gateway.database);
    const mine = await read(stack.apiKey);
    expect(new Set(mine.entries.map(({ projectId }) => projectId))).toEqual(new Set([stack.projectId]));
    for (const projectId of [stack.otherProjectId, stranger.projectId, newId('prj')]) {
      expect((await read(stack.apiKey, `?projectId=${projectId}`)).entries).toEqual([]);
    }
    expect((await read(stranger.adminApiKey, `?projectId=${stack.projectId}`)).entries).toEqual([]);
    const ofProject = await read(stack.adminApiKey, '', `/v1/projects/${stack.projectId}/audit`);
    expect(ofProject.entries).toEqual(mine.entries);
    const foreign = await gateway.ask(stack.apiKey, 'GET', `/v1/projects/${stack.otherProjectId}/audit`);
    expect(foreign.status).toBe(404);
    const { body } = await gateway.ask<{ secret: string }>(
      stack.apiKey,
      'POST',
      `/v1/projects/${stack.projectId}/api-keys`,
      { name: 'reader', scopes: ['workspace:read'] },
    );
    for (const path of ['/v1/audit', '/v1/audit/export', `/v1/projects/${stack.projectId}/audit`]) {
      expect((await gateway.ask(body.secret, 'GET', path)).status).toBe(403);
    }
  });

  it('is exported as JSON lines, more than one read holds, in the order of the list', async () => {
    const actor = { kind: 'user' as const, id: newId('usr') };
    await write(Array.from({ length: 1_203 }, (_, index) => deedAt(1_000 + Math.floor(index / 7), { actor })));
    const response = await fetch(`${gateway.url}/v1/audit/export?actor=${actor.id}`, {
      headers: { authorization: `Bearer ${stack.adminApiKey}` },
    });
    const text = await response.text();
    expect([response.status, response.ok ? '' : text]).toEqual([200, '']);
    expect(response.headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
    const lines = text.trimEnd().split('\n');
    const entries = lines.map((line) => AuditRecord.strict().parse(JSON.parse(line)));
    expect(new Set(entries.map(({ id }) => id)).size).toBe(1_203);
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted((a, b) => b - a));
    expect((await read(stack.adminApiKey, `?actor=${actor.id}&limit=500`)).entries).toEqual(entries.slice(0, 500));
  });

  it('loses what is older than its retention, some at a time, and nothing else', async () => {
    const actor = { kind: 'user' as const, id: newId('usr') };
    const old = clock.now() - 400 * DAY_MS;
    await write(Array.from({ length: 2_100 }, () => deedAt(old - 1, { actor })));
    await write([deedAt(old, { actor }), deedAt(old + 1, { actor })]);
    const removed = await removeExpired({ audit: createAuditStore(gateway.database), days: 400, clock });
    expect(removed).toBeGreaterThanOrEqual(2_100);
    expect((await read(stack.adminApiKey, `?actor=${actor.id}`)).entries).toHaveLength(2);
  });
});

describe('a deed of another service', () => {
  const doer = { actor: { kind: 'key' as const, id: 'key_1' }, address: '10.0.0.1', requestId: newId('req') };
  const deed = (projectId: string, id: string) => ({
    ...{ projectId, action: 'connector.changed' as const, target: { kind: 'connector' as const, id } },
  });
  const change = { before: { enabled: true, name: 'x' }, after: { enabled: false, name: 'x' } };
  const recorded = { before: { enabled: true }, after: { enabled: false } };

  it('is written from its message, with who, from where and in which request', async () => {
    const trail = createAuditTrail(createOutbox(gateway.database), deedRecorded, clock);
    const id = newId('con');
    await gateway.database.withTransaction((tx) => trail.record(tx, doer, deed(stack.projectId, id), change));
    await eventually(async () => {
      const { entries } = await read(stack.apiKey, `?target=${id}`);
      expect(entries).toMatchObject([{ ...doer, ...deed(stack.projectId, id), ...recorded, at: clock.now() }]);
    });
  });

  it('says with an empty object that nothing was shown of it before', async () => {
    const trail = createAuditTrail(createOutbox(gateway.database), deedRecorded, clock);
    const id = newId('con');
    const same = { before: { name: 'x' }, after: { name: 'x' }, also: { secret: 'changed' } };
    await gateway.database.withTransaction((tx) => trail.record(tx, doer, deed(stack.projectId, id), same));
    const shown = async () => {
      const { entries } = await read(stack.apiKey, `?target=${id}`);
      return entries.map(({ before, after }) => ({ before, after }));
    };
    const expected = [{ before: {}, after: { secret: 'changed' } }];
    await eventually(async () => expect(await shown()).toEqual(expected));
    // Entries of earlier versions lack it.
    await collection().updateOne({ 'target.id': id }, { $unset: { before: '' } });
    expect(await shown()).toEqual(expected);
  });

  it('is written once, however often its message comes, and also when its project is gone', async () => {
    const { body: made } = await gateway.ask<{ id: string }>(stack.adminApiKey, 'POST', '/v1/projects', {
      name: 'Gone',
    });
    await gateway.ask(stack.adminApiKey, 'DELETE', `/v1/projects/${made.id}`);
    const trail = createAuditTrail(createOutbox(gateway.database), deedRecorded, clock);
    const id = newId('con');
    await gateway.database.withTransaction((tx) => trail.record(tx, doer, deed(made.id, id), change));
    const row = await outboxCollection(gateway.database).findOne(
      { routingKey: 'audit.deed.recorded.v1' },
      { sort: { seq: -1 } },
    );
    const data = { ...doer, ...deed(made.id, id), ...recorded };
    const take = createTakeDeeds({
      ...{ database: gateway.database, audit: createAuditLog(gateway.database) },
      workspaceOf: () => Promise.resolve(stack.workspaceId),
    });
    const message = {
      ...{ id: row?._id ?? '', type: 'audit.deed.recorded', version: 1 as never, occurredAt: clock.now() },
      ...{ projectId: made.id, requestId: doer.requestId, data: { ...data, action: data.action as string } },
    };
    await Promise.all([take([message, message]), take([message]), take([message])]);
    await eventually(async () => {
      expect((await read(stack.adminApiKey, `?projectId=${made.id}&target=${id}`)).entries).toHaveLength(1);
    });
    expect((await read(stack.adminApiKey, `?projectId=${made.id}&action=project.deleted`)).entries).toHaveLength(1);
  });

  it('whose project never was is not written', async () => {
    const take = createTakeDeeds({
      ...{ database: gateway.database, audit: createAuditLog(gateway.database) },
      workspaceOf: () => Promise.resolve(undefined),
    });
    const message = { id: 'm', type: 'audit.deed.recorded', version: 1 as never, occurredAt: 1, requestId: null };
    const data = { ...doer, ...deed('prj_none', 'x'), ...recorded, action: 'connector.changed' };
    await expect(take([{ ...message, projectId: 'prj_none', data }])).rejects.toThrow('No workspace');
  });
});

it('gives entries of the first form the members of today, and leaves the others', async () => {
  const before = await collection().countDocuments({});
  await collection().insertMany([
    { _id: 'aud_a', workspaceId: 'ws_old', actorId: 'key_1', action: 'api-key.revoked', targetId: 'key_2', ip: '::1' },
    { _id: 'aud_b', workspaceId: 'ws_old', actorId: 'bootstrap', action: 'project.created', targetId: 'prj_1' },
  ] as never);
  await widenEntries(gateway.database.connection);
  await widenEntries(gateway.database.connection);
  expect(
    await collection()
      .find({ workspaceId: 'ws_old' } as never, { sort: { _id: 1 } })
      .toArray(),
  ).toEqual([
    {
      ...{ _id: 'aud_a', workspaceId: 'ws_old', action: 'api-key.revoked', area: 'api-key', projectId: null },
      ...{ actor: { kind: 'key', id: 'key_1' }, target: { kind: 'api-key', id: 'key_2' }, address: '::1' },
    },
    {
      ...{ _id: 'aud_b', workspaceId: 'ws_old', action: 'project.created', area: 'project', projectId: 'prj_1' },
      ...{ actor: { kind: 'bootstrap', id: 'bootstrap' }, target: { kind: 'project', id: 'prj_1' }, address: null },
    },
  ]);
  expect(await collection().countDocuments({})).toBe(before + 2);
});

it('finds every combination of filters by an index in the order of the list', async () => {
  const database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  const store = createAuditStore(database);
  const { projectId, workspaceId } = stack;
  const reaches: AuditReach[] = [
    { workspaceId, projectIds: 'all' },
    { workspaceId, projectIds: [projectId] },
    { workspaceId, projectIds: [projectId, stack.otherProjectId ?? '', newId('prj')] },
  ];
  const choices: AuditFilter[][] = [
    [{}, { actor: 'usr_1' }],
    [{}, { action: 'session' }, { action: AUDIT_ACTIONS[0] }],
    [{}, { target: 'ses_1' }],
    [{}, { projectId }],
    [{}, { after: 1, before: clock.now() }],
    [{}],
  ];
  const combinations = choices.reduce<AuditFilter[]>(
    (all, next) => all.flatMap((filter) => next.map((more) => ({ ...filter, ...more }))),
    [{}],
  );
  expect(combinations).toHaveLength(48);
  for (const reach of reaches) {
    for (const filter of combinations) {
      for (const after of [undefined, [clock.now(), 'aud_x']]) {
        const [command] = await explainSent(database, () => store.list(reach, filter, { limit: 5, after }));
        expect(command?.plan).toMatch(/^find audit: .*IXSCAN/);
      }
    }
  }
  const removal = await explainSent(database, () => store.removeBefore(0, 10));
  expect(removal.map(({ plan }) => plan)).toEqual([expect.stringMatching(/IXSCAN$/)]);
  await database.close();
}, 60_000);
