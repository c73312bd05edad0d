import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nativeDb } from '@clew/persistence';
import { SCOPES, type ApiKey, type Scope } from '@clew/contracts';
import { explainSent, fixedClock, monitored, useTestEnvironment, type FixedClock } from '@clew/testing';
import type { BootstrapResult } from '../bootstrap.ts';
import { makeWorkspace, openTestDatabase, startTestGateway, type TestGateway } from '../test-support/gateway.ts';
import { createApiKeyStore } from './api-keys.store.ts';
import { isWellFormedKey } from './key-format.ts';

interface Made {
  apiKey: ApiKey;
  secret: string;
}
interface Page {
  apiKeys: ApiKey[];
  nextCursor: string | null;
}

const environment = useTestEnvironment();
let gateway: TestGateway;
let clock: FixedClock;
let stack: BootstrapResult;
/** Workspace unrelated to the first one. */
let foreign: BootstrapResult;

beforeAll(async () => {
  clock = fixedClock(Date.now());
  gateway = await startTestGateway(environment, { clock });
  stack = await makeWorkspace(gateway.database);
  foreign = await makeWorkspace(gateway.database);
});
afterAll(() => gateway.stop());

const keysOf = (projectId: string) => `/v1/projects/${projectId}/api-keys`;

async function make(by: string, projectId: string, body: Record<string, unknown> = {}): Promise<Made> {
  const answer = await gateway.ask<Made>(by, 'POST', keysOf(projectId), {
    name: 'n',
    scopes: ['workspace:read'],
    ...body,
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

const statusOf = async (secret: string) => (await gateway.ask(secret, 'GET', '/v1/me')).status;

describe('making a key', () => {
  it('gives a secret once that works from then on, and is never told again', async () => {
    const answer = await gateway.ask<Made>(stack.apiKey, 'POST', keysOf(stack.projectId), {
      name: 'mine',
      scopes: ['telemetry:write'],
    });
    const { apiKey, secret } = answer.body;
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${keysOf(stack.projectId)}/${apiKey.id}`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(isWellFormedKey(secret)).toBe(true);
    expect(secret.startsWith(apiKey.start)).toBe(true);
    const me = await gateway.ask(secret, 'GET', '/v1/me');
    expect(me.body).toMatchObject({
      kind: 'key',
      id: apiKey.id,
      scopes: ['telemetry:write'],
      projectIds: [stack.projectId],
    });
    const stored = await nativeDb(gateway.database.connection).collection('api_keys').find().toArray();
    const audited = await nativeDb(gateway.database.connection).collection('audit').find().toArray();
    expect(JSON.stringify([stored, audited])).not.toContain(secret.slice(apiKey.start.length));
  });

  it('is written to the audit, with who, from where and in which request', async () => {
    const answer = await gateway.ask<Made>(stack.apiKey, 'POST', keysOf(stack.projectId), {
      name: 'a',
      scopes: ['models:manage'],
    });
    const { body: me } = await gateway.ask<{ id: string }>(stack.apiKey, 'GET', '/v1/me');
    const entry = await nativeDb(gateway.database.connection)
      .collection('audit')
      .findOne({ 'target.id': answer.body.apiKey.id });
    expect(entry).toMatchObject({
      workspaceId: stack.workspaceId,
      actor: { kind: 'key', id: me.id },
      projectId: stack.projectId,
      action: 'api-key.created',
      address: '127.0.0.1',
      requestId: answer.headers.get('x-service-request-id'),
      before: null,
      after: { scopes: ['models:manage'], projectIds: [stack.projectId] },
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no name', { name: '' }, 'body.name'],
    ['no scope', { scopes: [] }, 'body.scopes'],
    ['a scope that there is not', { scopes: ['root'] }, 'body.scopes.0'],
    ['a scope twice', { scopes: ['workspace:read', 'workspace:read'] }, 'body.scopes'],
    ['an expiry that has passed', { expiresAt: 1 }, 'body.expiresAt'],
    ['a field that there is not', { admin: true }, 'body'],
  ])('with %s is refused, naming the field', async (_name, body, path) => {
    const answer = await gateway.ask(stack.apiKey, 'POST', keysOf(stack.projectId), {
      name: 'n',
      scopes: ['workspace:read'],
      ...body,
    });
    expect([answer.status, answer.body.details?.[0]?.path]).toEqual([400, path]);
  });

  it('never gives more than its maker has', async () => {
    const limited = await make(stack.apiKey, stack.projectId, { scopes: ['workspace:admin', 'workspace:read'] });
    const asked = (body: Record<string, unknown>) =>
      gateway.ask(limited.secret, 'POST', keysOf(stack.projectId), { name: 'n', scopes: ['workspace:read'], ...body });
    const excess = await asked({ scopes: ['workspace:read', 'telemetry:write'] });
    expect([excess.status, excess.body.message]).toEqual([403, 'The scope telemetry:write is not yours to give']);
    expect((await asked({ projectIds: 'all' })).status).toBe(403);
    expect((await asked({ projectIds: [stack.projectId, stack.otherProjectId] })).status).toBe(403);
    expect((await asked({ projectIds: [foreign.projectId] })).status).toBe(404);
    expect((await asked({})).status).toBe(201);
  });

  it('needs workspace:admin, and says so', async () => {
    const scopes: Scope[] = SCOPES.filter((scope) => scope !== 'workspace:admin');
    const reader = await make(stack.apiKey, stack.projectId, { scopes });
    const answer = await gateway.ask(reader.secret, 'POST', keysOf(stack.projectId), {
      name: 'n',
      scopes: ['workspace:read'],
    });
    expect([answer.status, answer.body.message]).toEqual([403, 'The scope workspace:admin is required']);
  });

  it('for several projects, or all, opens those and no others', async () => {
    const both = await make(stack.adminApiKey, stack.projectId, {
      projectIds: [stack.projectId, stack.otherProjectId],
    });
    const all = await make(stack.adminApiKey, stack.projectId, { projectIds: 'all' });
    for (const { secret } of [both, all]) {
      for (const projectId of [stack.projectId, stack.otherProjectId]) {
        expect((await gateway.ask(secret, 'GET', `/v1/projects/${projectId}`)).status).toBe(200);
      }
      expect((await gateway.ask(secret, 'GET', `/v1/projects/${foreign.projectId}`)).status).toBe(404);
    }
  });
});

describe("another workspace's project", () => {
  it('is a missing thing to a key for all projects of its own, on every route of keys', async () => {
    const victim = await make(foreign.adminApiKey, foreign.projectId, { name: 'victim' });
    const missing = await gateway.ask(stack.adminApiKey, 'GET', '/v1/projects/prj_00000000000000000000000000/api-keys');
    const target = `${keysOf(foreign.projectId)}/${victim.apiKey.id}`;
    const asked = [
      await gateway.ask(stack.adminApiKey, 'GET', keysOf(foreign.projectId)),
      await gateway.ask(stack.adminApiKey, 'POST', keysOf(foreign.projectId), {
        name: 'n',
        scopes: ['workspace:read'],
      }),
      await gateway.ask(stack.adminApiKey, 'POST', `${target}/rotate`, {}),
      await gateway.ask(stack.adminApiKey, 'DELETE', target),
    ];
    for (const { status, body } of asked) {
      expect([status, { ...body, requestId: '' }]).toEqual([404, { ...missing.body, requestId: '' }]);
    }
    expect(await statusOf(victim.secret)).toBe(200);
  });
});

describe('revoking a key', () => {
  it('holds at once, also for one that was just used', async () => {
    const { apiKey, secret } = await make(stack.apiKey, stack.projectId);
    expect(await statusOf(secret)).toBe(200);
    const answer = await gateway.ask(stack.apiKey, 'DELETE', `${keysOf(stack.projectId)}/${apiKey.id}`);
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(await statusOf(secret)).toBe(401);
  });

  it('is for the key itself, whatever its scopes, and leaves what it has made', async () => {
    const maker = await make(stack.apiKey, stack.projectId, { scopes: ['workspace:admin'] });
    const made = await make(maker.secret, stack.projectId, { scopes: ['workspace:admin'] });
    const weak = await make(stack.apiKey, stack.projectId, { scopes: ['telemetry:write'] });
    for (const { apiKey, secret } of [maker, weak]) {
      expect(await gateway.ask(secret, 'DELETE', '/v1/me/key')).toMatchObject({ status: 204, body: null });
      expect(await statusOf(secret)).toBe(401);
      const entries = nativeDb(gateway.database.connection).collection('audit');
      const revoked = { 'target.id': apiKey.id, 'actor.id': apiKey.id, action: 'api-key.revoked' };
      expect(await entries.countDocuments(revoked)).toBe(1);
    }
    expect(await statusOf(made.secret)).toBe(200);
  });

  it('is safe to repeat, and to ask of a key that never was', async () => {
    const { apiKey } = await make(stack.apiKey, stack.projectId);
    const target = `${keysOf(stack.projectId)}/${apiKey.id}`;
    for (const path of [target, target, `${keysOf(stack.projectId)}/key_00000000000000000000000000`]) {
      expect((await gateway.ask(stack.apiKey, 'DELETE', path)).status).toBe(204);
    }
    const entries = nativeDb(gateway.database.connection).collection('audit');
    expect(await entries.countDocuments({ 'target.id': apiKey.id, action: 'api-key.revoked' })).toBe(1);
  });

  it('is not for a manager with fewer rights than the key', async () => {
    const manager = await make(stack.apiKey, stack.projectId, { scopes: ['workspace:admin'] });
    const strong = await make(stack.apiKey, stack.projectId, { scopes: ['telemetry:write'] });
    const wide = await make(stack.adminApiKey, stack.projectId, { scopes: ['workspace:admin'], projectIds: 'all' });
    for (const { apiKey, secret } of [strong, wide]) {
      const target = `${keysOf(stack.projectId)}/${apiKey.id}`;
      expect((await gateway.ask(manager.secret, 'DELETE', target)).status).toBe(403);
      expect((await gateway.ask(manager.secret, 'POST', `${target}/rotate`, {})).status).toBe(403);
      expect(await statusOf(secret)).toBe(200);
    }
  });
});

describe('rotating a key', () => {
  it('makes a successor at once, and lets the old key live on for the grace time', async () => {
    const old = await make(stack.apiKey, stack.projectId, { name: 'old', scopes: ['models:manage'] });
    expect(await statusOf(old.secret)).toBe(200);
    const answer = await gateway.ask<Made>(stack.apiKey, 'POST', `${keysOf(stack.projectId)}/${old.apiKey.id}/rotate`, {
      graceMs: 60_000,
    });
    expect(answer.status).toBe(201);
    const { apiKey, secret } = answer.body;
    expect(apiKey).toMatchObject({
      name: 'old',
      scopes: ['models:manage'],
      rotatedFrom: old.apiKey.id,
      expiresAt: null,
    });
    expect([await statusOf(old.secret), await statusOf(secret)]).toEqual([200, 200]);
    clock.advance(59_999);
    expect(await statusOf(old.secret)).toBe(200);
    clock.advance(1);
    expect([await statusOf(old.secret), await statusOf(secret)]).toEqual([401, 200]);
  });

  it('without grace ends the old key at once', async () => {
    const old = await make(stack.apiKey, stack.projectId);
    expect(await statusOf(old.secret)).toBe(200);
    const path = `${keysOf(stack.projectId)}/${old.apiKey.id}/rotate`;
    const { body } = await gateway.ask<Made>(stack.apiKey, 'POST', path, { graceMs: 0 });
    expect([await statusOf(old.secret), await statusOf(body.secret)]).toEqual([401, 200]);
  });

  it('happens once, however many ask at the same time', async () => {
    const expiresAt = clock.now() + 1_000_000;
    const old = await make(stack.apiKey, stack.projectId, { expiresAt });
    const path = `${keysOf(stack.projectId)}/${old.apiKey.id}/rotate`;
    // The old key's own expiry is earlier than the grace time, so that the rotation changes only the successor field.
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => gateway.ask(stack.apiKey, 'POST', path, { graceMs: 10_000_000 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect((await gateway.ask(stack.apiKey, 'POST', path, {})).body.code).toBe('CONFLICT');
    const keys = nativeDb(gateway.database.connection).collection('api_keys');
    expect(await keys.countDocuments({ rotatedFrom: old.apiKey.id })).toBe(1);
  });

  it.each([{ graceMs: -1 }, { graceMs: 31 * 24 * 3_600_000 }, { graceMs: 1.5 }, { grace: 1 }])(
    'with %j is refused',
    async (body) => {
      const { apiKey } = await make(stack.apiKey, stack.projectId);
      const path = `${keysOf(stack.projectId)}/${apiKey.id}/rotate`;
      expect((await gateway.ask(stack.apiKey, 'POST', path, body)).status).toBe(400);
    },
  );

  it('of a key that is gone, or was never there, answers 404', async () => {
    const { apiKey } = await make(stack.apiKey, stack.projectId);
    await gateway.ask(stack.apiKey, 'DELETE', `${keysOf(stack.projectId)}/${apiKey.id}`);
    for (const id of [apiKey.id, 'key_00000000000000000000000000', 'nonsense']) {
      expect((await gateway.ask(stack.apiKey, 'POST', `${keysOf(stack.projectId)}/${id}/rotate`, {})).status).toBe(404);
    }
  });
});

describe('listing keys', () => {
  it('walks through all that open the project, newest first, each once, whatever is made meanwhile', async () => {
    const workspace = await makeWorkspace(gateway.database);
    const made: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      const projectIds = count % 3 === 0 ? 'all' : [workspace.projectId];
      // Several keys share one millisecond, so that the id decides their order.
      if (count % 4 === 0) clock.advance(1);
      made.push((await make(workspace.adminApiKey, workspace.projectId, { projectIds })).apiKey.id);
    }
    const elsewhere = await make(workspace.adminApiKey, workspace.otherProjectId ?? '');
    for (const limit of [1, 2, 5, 100]) {
      const seen: ApiKey[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const { body } = await gateway.ask<Page>(
          workspace.adminApiKey,
          'GET',
          `${keysOf(workspace.projectId)}?limit=${limit}${query}`,
        );
        expect(body.apiKeys.length).toBeLessThanOrEqual(limit);
        seen.push(...body.apiKeys);
        cursor = body.nextCursor;
        if (seen.length === limit) await make(workspace.adminApiKey, workspace.otherProjectId ?? '');
      }
      const ids = seen.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining(made));
      expect(ids).not.toContain(elsewhere.apiKey.id);
      const order = seen.map(({ createdAt, id }) => [createdAt, id] as const);
      expect(order).toEqual(order.toSorted((a, b) => b[0] - a[0] || (a[1] < b[1] ? 1 : -1)));
    }
  });

  it('leaves out those that were revoked', async () => {
    const { apiKey } = await make(stack.apiKey, stack.projectId);
    await gateway.ask(stack.apiKey, 'DELETE', `${keysOf(stack.projectId)}/${apiKey.id}`);
    const { body } = await gateway.ask<Page>(stack.apiKey, 'GET', `${keysOf(stack.projectId)}?limit=500`);
    expect(body.apiKeys.map(({ id }) => id)).not.toContain(apiKey.id);
  });

  it.each(['0', '501', '-1', '1.5', 'x', ''])('refuses the limit %j, it is never clamped', async (limit) => {
    expect((await gateway.ask(stack.apiKey, 'GET', `${keysOf(stack.projectId)}?limit=${limit}`)).status).toBe(400);
  });

  it("refuses a cursor that was changed, or is another project's", async () => {
    const { body } = await gateway.ask<Page>(stack.adminApiKey, 'GET', `${keysOf(stack.projectId)}?limit=1`);
    const cursor = body.nextCursor ?? '';
    const changed = cursor.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const ask = (projectId: string | null, text: string) =>
      gateway.ask(stack.adminApiKey, 'GET', `${keysOf(projectId ?? '')}?cursor=${text}`);
    expect((await ask(stack.projectId, cursor)).status).toBe(200);
    expect((await ask(stack.projectId, changed)).body.code).toBe('INVALID_CURSOR');
    expect((await ask(stack.otherProjectId, cursor)).body.code).toBe('INVALID_CURSOR');
  });

  it('is read in the order of its indexes, and a key is found by one', async () => {
    const database = await openTestDatabase(environment, monitored(environment.mongoUrl));
    const apiKeys = createApiKeyStore(database);
    const project = { workspaceId: stack.workspaceId, projectId: stack.projectId ?? '' };
    const explained = await explainSent(database, async () => {
      await apiKeys.findByHash('h');
      for (const after of [undefined, [clock.now(), 'key_']]) await apiKeys.list(project, { limit: 10, after });
    });
    const isIndexed = expect.stringMatching(/^find api_keys:.* IXSCAN$/);
    // The key look-up, and two index walks for each of the two pages.
    expect(explained.map(({ plan }) => plan)).toEqual(Array(5).fill(isIndexed));
    await database.close();
  });
});
