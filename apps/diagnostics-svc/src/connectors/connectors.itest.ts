import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deedRecorded, MAX_CONNECTORS, TRACKER_PROVIDERS, type Connector, type ConnectorTest } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { nativeDb } from '@clew/persistence';
import { SecretUnreadableError, createSecretBox } from '@clew/secrets';
import { explainSent, monitored, storedText, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { loopbackOutbound, startLoopbackTracker, type LoopbackTracker } from '@clew/testing/issue-trackers';
import { CONNECTORS_PATH as PATH, connectorTo, makeConnector, type MadeConnector } from '../test-support/connectors.ts';
import { openTestDatabase, startTestService, type TestService } from '../test-support/service.ts';
import { newConnector } from './connector.ts';
import { createConnectors } from './connectors.ts';
import { createConnectorStore } from './connectors.store.ts';

const environment = useTestEnvironment();
const AUTH_SECRET = 'a secret of the tests, which is long enough';
const CANARY = 'canary-of-connectors';
const trackers: LoopbackTracker[] = [];
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
  service.start();
  for (const provider of TRACKER_PROVIDERS) trackers.push(await startLoopbackTracker(provider));
});

afterAll(async () => {
  await service.stop();
  for (const tracker of trackers) await tracker.stop();
});

const trackerOf = (provider: string) => trackers.find((tracker) => tracker.provider === provider)!;
const GITHUB = { provider: 'github', credentials: { token: `${CANARY}-token` } };

const one = ({ projectId, connector }: MadeConnector) => ({ projectId, path: `${PATH}/${connector.id}` });
const read = (made: MadeConnector) => service.call<Connector>(one(made));
const change = (made: MadeConnector, body: object, headers: Record<string, string> = {}) =>
  service.call<Connector & { details?: { path: string }[] }>({ ...one(made), method: 'PATCH', body, headers });
const test = async (made: MadeConnector) =>
  await service.call<ConnectorTest>({ ...one(made), path: `${PATH}/${made.connector.id}/test`, method: 'POST' });
const refusalOf = async (body: object) => {
  const refused = await service.call<{ code: string; details?: { path: string }[] }>({
    ...{ method: 'POST', projectId: newId('prj'), path: PATH, body },
  });
  return { status: refused.status, code: refused.body.code, paths: refused.body.details?.map(({ path }) => path) };
};

async function listed(projectId: string, query = '') {
  const path = `${PATH}${query}`;
  return (await service.call<{ connectors: Connector[]; nextCursor: string | null }>({ projectId, path })).body;
}

describe('a connector', () => {
  it('has its deeds recorded for the audit once each, in their transactions and without its secrets', async () => {
    const made = await makeConnector(service, { ...GITHUB, webhookSecret: `${CANARY}-webhook`, name: 'Ours' });
    await change(made, { enabled: false, credentials: { token: `${CANARY}-other` }, webhookSecret: `${CANARY}-next` });
    await change(made, { enabled: false });
    expect((await change(made, { enabled: true }, { 'if-match': '"other"' })).status).toBe(412);
    for (let repeat = 0; repeat < 2; repeat += 1) await service.call({ ...one(made), method: 'DELETE' });
    const deeds = await emittedMessages(service.database, deedRecorded, made.projectId);
    const target = { kind: 'connector', id: made.connector.id };
    const doer = { actor: { kind: 'key', id: expect.any(String) }, address: null };
    expect(deeds.map(({ data }) => data)).toMatchObject([
      { ...doer, action: 'connector.created', target, before: null, after: { name: 'Ours', enabled: true } },
      {
        ...{ ...doer, action: 'connector.changed', target, before: { enabled: true } },
        after: { enabled: false, credentials: 'changed', webhookSecret: 'changed' },
      },
      { ...doer, action: 'connector.deleted', target, before: { name: 'Ours', enabled: false }, after: null },
    ]);
    expect(deeds.every(({ requestId }) => requestId?.startsWith('req_'))).toBe(true);
    expect(JSON.stringify(deeds)).not.toContain(CANARY);
  });

  it.each(TRACKER_PROVIDERS)(
    'to %s is made, read, listed and tested; its secrets are in no answer',
    async (provider) => {
      const tracker = trackerOf(provider);
      const made = await makeConnector(service, { ...connectorTo(tracker), name: 'Ours' });
      expect(made.connector).toEqual({
        id: expect.stringMatching(/^con_[0-9A-Z]{26}$/),
        projectId: made.projectId,
        ...{ provider, name: 'Ours', baseUrl: tracker.baseUrl, enabled: true, isDefault: true },
        ...{ defaultDestination: tracker.destination, hasWebhookSecret: true },
        webhookPath: `/v1/webhooks/${provider}/${made.connector.id}`,
        ...{ createdAt: expect.any(Number), updatedAt: made.connector.createdAt },
      });
      const found = await read(made);
      expect(found).toMatchObject({ status: 200, body: made.connector });
      expect(found.headers.get('etag')).toBe(made.etag);
      expect(await listed(made.projectId)).toEqual({ connectors: [made.connector], nextCursor: null });
      const tested = await test(made);
      expect(tested).toMatchObject({ status: 200, body: { ok: true, error: null, reason: null } });
      expect(tested.body.destination).not.toBeNull();
      const answers = JSON.stringify([made.connector, found.body, tested.body]);
      for (const secret of [...Object.values(tracker.credentials), tracker.webhookSecret]) {
        expect(answers).not.toContain(secret);
      }
    },
  );

  it.each(TRACKER_PROVIDERS.map((provider, index) => [`provider_${index + 1}`, provider]))(
    '%s is made as one to %s',
    async (alias, provider) => {
      const { connector } = await makeConnector(service, { ...connectorTo(trackerOf(provider)), provider: alias });
      expect(connector.provider).toBe(provider);
    },
  );

  it.each([
    ['an unknown provider', { ...GITHUB, provider: 'provider_5' }, 'body.provider'],
    ['no credentials', { provider: 'github' }, 'body.credentials'],
    ['an email for GitHub', { ...GITHUB, credentials: { token: 'x', email: 'a@b.example' } }, 'body.credentials'],
    [
      'no email for Jira',
      { provider: 'jira', baseUrl: 'https://x.example', credentials: { token: 'x' } },
      'body.credentials.email',
    ],
    ['no address for Jira', { provider: 'jira', credentials: { token: 'x', email: 'a@b.example' } }, 'body.baseUrl'],
    ['a string as destination', { ...GITHUB, defaultDestination: 'acme/shop' }, 'body.defaultDestination'],
    [
      'the destination of another provider',
      { ...GITHUB, defaultDestination: { projectKey: 'SHOP' } },
      'body.defaultDestination.owner',
    ],
    ['the path of an API', { ...GITHUB, baseUrl: 'https://git.example/api/v3' }, 'body.baseUrl'],
    ['a token with a line break', { ...GITHUB, credentials: { token: 'a\nb' } }, 'body.credentials.token'],
    ['a field that nobody knows', { ...GITHUB, secret: 'x' }, 'body'],
  ])('is refused with %s', async (_what, body, path) => {
    expect(await refusalOf(body)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    expect((await refusalOf(body)).paths).toContain(path);
  });

  it.each(['http://169.254.169.254', 'http://10.0.0.1', 'http://[::1]:1', 'http://[::ffff:10.0.0.1]'])(
    'is refused at the address %s',
    async (baseUrl) => {
      expect(await refusalOf({ ...GITHUB, baseUrl })).toMatchObject({ status: 400, code: 'OUTBOUND_REFUSED' });
      const made = await makeConnector(service, GITHUB);
      const moved = await change(made, { baseUrl, credentials: GITHUB.credentials });
      expect(moved).toMatchObject({ status: 400, body: { code: 'OUTBOUND_REFUSED' } });
    },
  );

  it('is made without asking the provider; its test says what is wrong', async () => {
    const tracker = trackerOf('github');
    const made = await makeConnector(service, { ...connectorTo(tracker), credentials: { token: CANARY } });
    const refused = await test(made);
    expect(refused).toMatchObject({ status: 200, body: { ok: false, reason: 'credentials', account: null } });
    expect(JSON.stringify(refused.body)).not.toContain(CANARY);
    const away = await makeConnector(service, { ...GITHUB, baseUrl: 'http://127.0.0.1:1' });
    expect((await test(away)).body).toMatchObject({ ok: false, reason: 'unavailable' });
    await change(made, { credentials: tracker.credentials });
    expect((await test(made)).body).toMatchObject({ ok: true });
  });

  it('is changed with If-Match, also when only a secret changes', async () => {
    const made = await makeConnector(service, GITHUB);
    const changed = await change(made, { webhookSecret: CANARY, enabled: false }, { 'if-match': made.etag });
    expect(changed).toMatchObject({ status: 200, body: { hasWebhookSecret: true, enabled: false } });
    const rotated = await change(made, { credentials: { token: 'next' } });
    expect(rotated.headers.get('etag')).not.toBe(changed.headers.get('etag'));
    const late = { 'if-match': made.etag };
    expect((await change(made, { enabled: true }, late)).status).toBe(412);
    expect((await service.call({ ...one(made), method: 'DELETE', headers: late })).status).toBe(412);
    expect((await change(made, { webhookSecret: null, defaultDestination: null, name: null })).body).toMatchObject({
      ...{ hasWebhookSecret: false, defaultDestination: null, name: null, enabled: false },
    });
  });

  it.each([
    [{ email: 'a@b.example', token: 'x' }, 'body.credentials.email'],
    [undefined, 'body.credentials'],
  ])('never sends its credentials to another host: %j', async (credentials, path) => {
    const made = await makeConnector(service, GITHUB);
    const moved = await change(made, { baseUrl: 'https://elsewhere.example', ...(credentials && { credentials }) });
    expect({ status: moved.status, path: moved.body.details?.[0]?.path }).toEqual({ status: 400, path });
    expect((await change(made, { baseUrl: 'https://github.com/x' })).status).toBe(200);
  });

  it('takes a change of its destination only in the form of its provider', async () => {
    const made = await makeConnector(service, GITHUB);
    for (const defaultDestination of ['acme/shop', { teamId: newId('prj') }, { projectKey: 'SHOP' }]) {
      expect((await change(made, { defaultDestination })).status).toBe(400);
    }
    const defaultDestination = { owner: 'acme', repo: 'shop' };
    expect((await change(made, { defaultDestination })).body).toMatchObject({ defaultDestination });
    expect((await change(made, {})).status).toBe(400);
    expect((await change(made, { provider: 'gitlab' })).status).toBe(400);
  });

  it('is removed, and removed again; another was never there', async () => {
    const made = await makeConnector(service, GITHUB);
    const remove = (path: string, projectId = made.projectId) => service.call({ method: 'DELETE', projectId, path });
    expect((await remove(one(made).path)).status).toBe(204);
    expect((await remove(one(made).path)).status).toBe(204);
    expect((await read(made)).status).toBe(404);
    for (const missing of [
      remove(`${PATH}/${newId('con')}`),
      remove(one(made).path, newId('prj')),
      remove(`${PATH}/x`),
    ]) {
      expect(await missing).toMatchObject({ status: 404, body: { code: 'CONNECTOR_NOT_FOUND' } });
    }
  });

  it('is that of one project alone', async () => {
    const made = { ...(await makeConnector(service, GITHUB)) };
    const elsewhere = { ...made, projectId: newId('prj') };
    const asked = [await read(elsewhere), await change(elsewhere, { enabled: false }), await test(elsewhere)];
    expect(asked.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await listed(elsewhere.projectId)).toEqual({ connectors: [], nextCursor: null });
  });

  it('made again under the same Idempotency-Key is the same one, and no secret is stored in the clear', async () => {
    const projectId = newId('prj');
    const headers = { 'idempotency-key': 'once' };
    const body = { ...GITHUB, webhookSecret: `${CANARY}-webhook` };
    const first = await makeConnector(service, body, { projectId, headers });
    const again = await makeConnector(service, body, { projectId, headers });
    expect(again.connector).toEqual(first.connector);
    expect((await listed(projectId)).connectors).toHaveLength(1);
    const other = await service.call({ method: 'POST', projectId, path: PATH, headers, body: GITHUB });
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    for (const [, text] of await storedText(nativeDb(service.database.connection))) expect(text).not.toContain(CANARY);
  });
});

describe('the default of a provider', () => {
  it('is its first connector, until another takes over', async () => {
    const first = await makeConnector(service, GITHUB);
    const { projectId } = first;
    const second = await makeConnector(service, GITHUB, { projectId });
    const other = await makeConnector(service, connectorTo(trackerOf('linear')), { projectId });
    const defaults = async () =>
      (await listed(projectId)).connectors.filter(({ isDefault }) => isDefault).map(({ id }) => id);
    expect(await defaults()).toEqual([other.connector.id, first.connector.id]);
    expect((await change(second, { isDefault: true })).body.isDefault).toBe(true);
    expect(await defaults()).toEqual([other.connector.id, second.connector.id]);
    expect((await read(first)).headers.get('etag')).not.toBe(first.etag);
    await change(second, { isDefault: false });
    expect(await defaults()).toEqual([other.connector.id]);
    await service.call({ ...one(other), method: 'DELETE' });
    expect(await defaults()).toEqual([]);
  });

  it('is one alone, however many take over at once', async () => {
    const projectId = newId('prj');
    const made = await Promise.all(
      Array.from({ length: 8 }, () => makeConnector(service, { ...GITHUB, isDefault: true }, { projectId })),
    );
    await Promise.all(made.map((each) => change(each, { isDefault: true })));
    expect((await listed(projectId)).connectors.filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });

  it('is chosen where none is named, and a disabled one never', async () => {
    const store = createConnectorStore(service.database);
    const secrets = createSecretBox({ authSecret: AUTH_SECRET });
    const connectors = createConnectors({ store, secrets, outbound: loopbackOutbound(), clock: service.clock });
    const first = await makeConnector(service, GITHUB);
    const { projectId } = first;
    const second = await makeConnector(service, GITHUB, { projectId });
    const chosen = async (connectorId?: string, provider: 'github' | 'jira' = 'github') =>
      (await connectors.choose(projectId, { provider, connectorId }))?.id;
    expect(await chosen()).toBe(first.connector.id);
    expect(await chosen(second.connector.id)).toBe(second.connector.id);
    expect([await chosen(second.connector.id, 'jira'), await chosen(undefined, 'jira')]).toEqual([
      undefined,
      undefined,
    ]);
    await change(first, { enabled: false });
    expect([await chosen(), await chosen(first.connector.id)]).toEqual([undefined, undefined]);
    expect((await connectors.read(projectId, first.connector.id))?.enabled).toBe(false);
  });
});

describe('the connectors of a project', () => {
  it('are listed in pages, newest first', async () => {
    const projectId = newId('prj');
    const made: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      service.clock.advance(1);
      made.unshift((await makeConnector(service, GITHUB, { projectId })).connector.id);
    }
    const first = await listed(projectId, '?limit=2');
    const rest = await listed(projectId, `?limit=2&cursor=${first.nextCursor}`);
    expect([...first.connectors, ...rest.connectors].map(({ id }) => id)).toEqual(made);
    expect(rest.nextCursor).toBeNull();
    const foreign = await service.call({ projectId: newId('prj'), path: `${PATH}?limit=2&cursor=${first.nextCursor}` });
    expect(foreign).toMatchObject({ status: 400, body: { code: 'INVALID_FILTER' } });
  });

  it(`are at most ${MAX_CONNECTORS}, also when they are made at once`, async () => {
    const projectId = newId('prj');
    for (let index = 0; index < MAX_CONNECTORS - 2; index += 1) await makeConnector(service, GITHUB, { projectId });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => service.call({ method: 'POST', projectId, path: PATH, body: GITHUB })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'TOO_MANY_CONNECTORS' });
    const [last] = (await listed(projectId)).connectors;
    await service.call({ method: 'DELETE', projectId, path: `${PATH}/${last!.id}` });
    expect((await service.call({ method: 'POST', projectId, path: PATH, body: GITHUB })).status).toBe(201);
  });

  it('are erased with it', async () => {
    const made = await makeConnector(service, GITHUB);
    const { projectId } = made;
    const erased = await service.call({
      ...{ method: 'DELETE', path: `//internal/v1/projects/${projectId}/diagnostics`, projectId },
      principal: { kind: 'service', id: 'gateway' },
    });
    expect(erased).toMatchObject({ status: 200, body: { removed: { connectors: 1, connector_sets: 1 } } });
    expect((await read(made)).status).toBe(404);
  });

  it('are read from an index, whatever else there is', async () => {
    const database = await openTestDatabase(environment, monitored(environment.mongoUrl));
    const store = createConnectorStore(database);
    const secrets = createSecretBox({ authSecret: AUTH_SECRET });
    const input = { provider: 'github', credentials: { token: 'x' }, enabled: true } as const;
    const projectIds = Array.from({ length: 20 }, () => newId('prj'));
    for (const projectId of projectIds) {
      await database.withTransaction(async (tx) => {
        for (let index = 0; index < 20; index += 1)
          await store.insert(tx, newConnector(projectId, input, secrets, index));
      });
    }
    const explained = await explainSent(database, () => store.list(projectIds[3]!, { limit: 5 }));
    const plans = explained.map(({ plan }) => plan);
    expect(plans).toContainEqual(expect.stringContaining('connectors: '));
    for (const plan of plans) expect(plan).not.toMatch(/COLLSCAN|SORT/);
    await database.close();
  });
});

describe('after a restore', () => {
  it('with another AUTH_SECRET, credentials are not read, and the error says why', async () => {
    const tracker = trackerOf('gitlab');
    const made = await makeConnector(service, connectorTo(tracker));
    const restored = await startTestService(environment, {
      authSecret: 'another secret, which is long enough as well',
    });
    const path = `${PATH}/${made.connector.id}/test`;
    restored.start();
    const { status, body } = await restored.call<ConnectorTest>({ method: 'POST', projectId: made.projectId, path });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: false,
      reason: 'credentials',
      error: expect.stringContaining('another AUTH_SECRET'),
    });
    const store = createConnectorStore(restored.database);
    const secrets = createSecretBox({ authSecret: 'another secret, which is long enough as well' });
    const parts = { store, secrets, outbound: loopbackOutbound(), clock: restored.clock };
    const connectors = createConnectors(parts);
    const stored = await connectors.read(made.projectId, made.connector.id);
    expect(() => connectors.trackerOf(stored!)).toThrow(SecretUnreadableError);
    await restored.stop();
  });
});

describe('without the work item service', () => {
  it('every route answers 503', async () => {
    const without = await startTestService(environment, { mountWorkItems: false });
    const projectId = newId('prj');
    const path = `${PATH}/${newId('con')}`;
    const answers = [
      await without.call({ projectId, path: PATH }),
      await without.call({ projectId, path: PATH, method: 'POST', body: GITHUB }),
      await without.call({ projectId, path }),
      await without.call({ projectId, path, method: 'PATCH', body: { enabled: true } }),
      await without.call({ projectId, path, method: 'DELETE' }),
      await without.call({ projectId, path: `${path}/test`, method: 'POST' }),
      await without.call({ projectId, path: `//v1/webhooks/github/${newId('con')}`, method: 'POST', body: {} }),
    ];
    for (const { status, body } of answers) {
      expect({ status, body }).toMatchObject({ status: 503, body: { code: 'FINDING_WORK_ITEMS_UNAVAILABLE' } });
    }
    await without.stop();
  });
});
