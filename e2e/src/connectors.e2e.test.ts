import { createHmac, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TRACKER_PROVIDERS, type Connector, type ConnectorTest, type TrackerProvider } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { storedText } from '@clew/testing';
import { startLoopbackTracker, type LoopbackTracker, type TrackerDelivery } from '@clew/testing/issue-trackers';
import { withMongo } from './support/database.ts';
import { runningStack, stackHome } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const CONNECTORS = '/diagnostics/connectors';
/** Words that must be nowhere but in what was sent. */
const CANARY = `canary${randomUUID().replaceAll('-', '')}`;
const VECTOR_SECRET = "It's a Secret to Everybody";
const trackers = new Map<TrackerProvider, LoopbackTracker>();
let project: TestProject;

beforeAll(async () => {
  project = await createTestProject('connectors');
  for (const provider of TRACKER_PROVIDERS) trackers.set(provider, await startLoopbackTracker(provider));
});

afterAll(async () => {
  for (const tracker of trackers.values()) await tracker.stop();
});

/** Everything that was answered, for the search for the canary. */
const answered: unknown[] = [];

async function call<Body>(path: string, request: Parameters<TestProject['call']>[1] = {}) {
  const answer = await project.call<Body>(path, request);
  answered.push(answer.body, [...answer.headers]);
  return answer;
}

function connectorTo(provider: TrackerProvider) {
  const { baseUrl, credentials, destination, webhookSecret } = trackers.get(provider)!;
  return { provider, baseUrl, credentials, defaultDestination: destination, webhookSecret };
}

async function make(body: object): Promise<Connector> {
  const made = await call<Connector>(CONNECTORS, { body });
  expect({ status: made.status, body: made.body }).toMatchObject({ status: 201 });
  expect(made.headers.get('location')).toBe(`/v1/projects/${project.id}${CONNECTORS}/${made.body.id}`);
  return made.body;
}

/** Sends what a provider would send, without a key. */
async function deliver(path: string, { headers, body }: TrackerDelivery) {
  const url = new URL(path, runningStack().gatewayUrl);
  const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
  const { requestId, ...answer } = (await response.json()) as Record<string, unknown>;
  answered.push(answer);
  expect(requestId === undefined || response.headers.get('x-service-request-id') === requestId).toBe(true);
  return { status: response.status, body: answer };
}

/** Number of deliveries that were taken. */
const taken = () =>
  withMongo((connection) => {
    const inbox = connection.useDb('clew_diagnostics').collection('inbox');
    return inbox.countDocuments({ _id: { $regex: '^diagnostics-svc\\.provider-webhooks:' } as never });
  });

describe.each(TRACKER_PROVIDERS)('a connector to %s', (provider) => {
  it('is made, read, listed, tested, changed and removed, and never shows its credentials', async () => {
    const connector = await make({ ...connectorTo(provider), name: 'Ours' });
    expect(connector).toMatchObject({ provider, name: 'Ours', isDefault: true, enabled: true, hasWebhookSecret: true });
    const path = `${CONNECTORS}/${connector.id}`;
    const read = await call<Connector>(path);
    expect(read).toMatchObject({ status: 200, body: connector });
    const listed = await call<{ connectors: Connector[] }>(CONNECTORS);
    expect(listed.body.connectors).toContainEqual(connector);
    const tested = await call<ConnectorTest>(`${path}/test`, { method: 'POST' });
    expect(tested).toMatchObject({ status: 200, body: { ok: true, error: null } });
    const credentials = { ...trackers.get(provider)!.credentials, token: `${CANARY}-${provider}` };
    const etag = read.headers.get('etag') ?? '';
    const change = { method: 'PATCH', body: { credentials }, headers: { 'if-match': etag } };
    expect((await call(path, change)).status).toBe(200);
    expect(await call(path, change)).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    const refused = await call<ConnectorTest>(`${path}/test`, { method: 'POST' });
    expect(refused).toMatchObject({ status: 200, body: { ok: false, reason: 'credentials' } });
    const removals = [await call(path, { method: 'DELETE' }), await call(path, { method: 'DELETE' })];
    expect(removals.map(({ status }) => status)).toEqual([204, 204]);
    expect(await call(path)).toMatchObject({ status: 404, body: { code: 'CONNECTOR_NOT_FOUND' } });
  });

  it('is made under its alias', async () => {
    const alias = `provider_${TRACKER_PROVIDERS.indexOf(provider) + 1}`;
    expect(await make({ ...connectorTo(provider), provider: alias })).toMatchObject({ provider });
  });

  it('takes a webhook once, and none that is tampered with, replayed, wrongly signed or for another one', async () => {
    const tracker = trackers.get(provider)!;
    const { webhookPath, id } = await make(connectorTo(provider));
    const next = () => {
      tracker.add('Issue');
      return tracker.deliveryOf(tracker.events.at(-1)!);
    };
    const delivery = next();
    const before = await taken();
    const missing = await deliver(`/v1/webhooks/${provider}/${newId('con')}`, delivery);
    expect(missing).toMatchObject({ status: 404, body: { code: 'CONNECTOR_NOT_FOUND' } });
    const names = ['x-hub-signature-256', 'x-hub-signature', 'x-gitlab-token', 'linear-signature'];
    const unsigned = Object.fromEntries(Object.entries(delivery.headers).filter(([name]) => !names.includes(name)));
    const wrong = Object.fromEntries(
      Object.entries(delivery.headers).map(([name, value]) => [name, names.includes(name) ? `${value}0` : value]),
    );
    const other = provider === 'github' ? 'gitlab' : 'github';
    const tampered = { ...delivery, body: Buffer.concat([delivery.body, Buffer.from(' ')]) };
    const refused = [
      await deliver(webhookPath, { ...delivery, headers: unsigned }),
      await deliver(webhookPath, { ...delivery, headers: wrong }),
      await deliver(`/v1/webhooks/${other}/${id}`, delivery),
      await deliver(`/v1/webhooks/${provider}/nothing`, delivery),
      // The token of GitLab says nothing about the body.
      ...(provider === 'gitlab' ? [] : [await deliver(webhookPath, tampered)]),
    ];
    expect(refused).toEqual(refused.map(() => missing));
    expect(await taken()).toBe(before);
    expect(await deliver(webhookPath, delivery)).toEqual({ status: 202, body: { outcome: 'accepted' } });
    const after = await taken();
    expect(after).toBeGreaterThan(before);
    expect(await deliver(webhookPath, delivery)).toEqual({ status: 200, body: { outcome: 'seen_before' } });
    expect(await taken()).toBe(after);
    await call(`${CONNECTORS}/${id}`, { method: 'PATCH', body: { enabled: false } });
    expect(await deliver(webhookPath, next())).toEqual(missing);
  });
});

describe('a request for a connector', () => {
  it.each([
    ['provider_5', { provider: 'provider_5', credentials: { token: 'x' } }],
    ['a string as destination', { provider: 'github', credentials: { token: 'x' }, defaultDestination: 'acme/shop' }],
    ['an email for Linear', { provider: 'linear', credentials: { token: 'x', email: 'a@b.example' } }],
    ['no email for Jira', { provider: 'jira', baseUrl: 'https://x.example', credentials: { token: 'x' } }],
    ['an address of metadata', { provider: 'github', credentials: { token: 'x' }, baseUrl: 'http://169.254.169.254' }],
  ])('with %s is 400', async (_what, body) => {
    expect((await call(CONNECTORS, { body })).status).toBe(400);
  });

  it('of another project is that for one that is not there', async () => {
    const { id } = await make({ provider: 'github', credentials: { token: 'x' } });
    const other = await createTestProject('other connectors');
    expect(await other.call(`${CONNECTORS}/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'CONNECTOR_NOT_FOUND' },
    });
  });
});

describe('the vectors of the wire facts', () => {
  const signedBy = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');

  it('GitHub: the signature verifies, and what it signs is no webhook', async () => {
    const secret = { provider: 'github', credentials: { token: 'x' }, webhookSecret: VECTOR_SECRET };
    const { webhookPath } = await make(secret);
    const signature = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    const send = (hex: string) =>
      deliver(webhookPath, {
        headers: { 'x-github-event': 'issues', 'x-github-delivery': '1', 'x-hub-signature-256': `sha256=${hex}` },
        body: Buffer.from('Hello, World!'),
      });
    expect(await send(signature)).toMatchObject({ status: 400, body: { code: 'WEBHOOK_REFUSED' } });
    expect((await send(`${signature.slice(0, -1)}8`)).status).toBe(404);
  });

  it('GitLab: a signed delivery is taken within five minutes', async () => {
    const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const { webhookPath } = await make({ provider: 'gitlab', credentials: { token: 'x' }, webhookSecret });
    const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64');
    const body = JSON.stringify({ object_attributes: { iid: 3 }, project: { id: 7 } });
    const send = (ageMs: number) => {
      const [id, timestamp] = [`msg ${ageMs}`, String(Math.floor((Date.now() - ageMs) / 1_000))];
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      const headers = { 'x-gitlab-event': 'Issue Hook', 'webhook-id': id, 'webhook-timestamp': timestamp };
      const signed = { ...headers, 'webhook-signature': `v1,${signature}` };
      return deliver(webhookPath, { headers: signed, body: Buffer.from(body) });
    };
    const before = await taken();
    expect(await send(301_000)).toMatchObject({ status: 400, body: { code: 'WEBHOOK_REFUSED' } });
    expect(await taken()).toBe(before);
    expect(await send(0)).toMatchObject({ status: 202, body: { outcome: 'accepted' } });
  });

  it('Jira: an unsigned delivery needs the secret in its address, which may have any other query', async () => {
    const webhookSecret = `${CANARY}-url`;
    const credentials = { email: 'a@b.example', token: 'x' };
    const { webhookPath } = await make({ provider: 'jira', baseUrl: 'https://x.example', credentials, webhookSecret });
    const body = Buffer.from(JSON.stringify({ webhookEvent: 'jira:issue_updated', issue: { id: '10001' } }));
    const send = (query: string) => deliver(`${webhookPath}${query}`, { headers: {}, body });
    expect((await send('')).status).toBe(404);
    expect((await send('?secret=wrong')).status).toBe(404);
    expect((await send(`?user=1&user=2&secret=${webhookSecret}&atl=x`)).status).toBe(202);
  });

  it('Linear: a delivery is taken within a minute of its signed time', async () => {
    const webhookSecret = 'linear secret';
    const { webhookPath } = await make({ provider: 'linear', credentials: { token: 'x' }, webhookSecret });
    const send = (ageMs: number) => {
      const data = { id: randomUUID() };
      const body = JSON.stringify({ action: 'update', type: 'Issue', data, webhookTimestamp: Date.now() - ageMs });
      const headers = { 'linear-signature': signedBy(webhookSecret, body), 'linear-delivery': randomUUID() };
      return deliver(webhookPath, { headers, body: Buffer.from(body) });
    };
    const before = await taken();
    expect(await send(61_000)).toMatchObject({ status: 400, body: { code: 'WEBHOOK_REFUSED' } });
    expect(await send(-61_000)).toMatchObject({ status: 400 });
    expect(await taken()).toBe(before);
    expect((await send(0)).status).toBe(202);
  });
});

describe('no credential', () => {
  it('is in an answer, a log, a message or a database', async () => {
    await make({ provider: 'github', credentials: { token: CANARY }, webhookSecret: `${CANARY}-hook` });
    const unknown = { provider: 'github', credentials: { token: CANARY, more: CANARY }, webhookSecret: `${CANARY}\n` };
    expect((await call(CONNECTORS, { body: unknown })).status).toBe(400);
    expect(JSON.stringify(answered)).not.toContain(CANARY);
    const logs = readdirSync(join(stackHome(), 'logs'));
    expect(logs).toContain('diagnostics-svc.log');
    for (const log of logs) expect(readFileSync(join(stackHome(), 'logs', log), 'utf8')).not.toContain(CANARY);
    await withMongo(async (connection) => {
      for (const name of ['clew_diagnostics', 'clew_gateway']) {
        const texts = await storedText(connection.useDb(name).db as never);
        for (const [collection, text] of texts)
          expect([collection, text.includes(CANARY)]).toEqual([collection, false]);
      }
    });
  });
});
