import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TRACKER_PROVIDERS, WEBHOOK_SECRET_GRACE_MS, type TrackerProvider } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { nativeDb } from '@clew/persistence';
import { useTestEnvironment } from '@clew/testing';
import { startLoopbackTracker, type LoopbackTracker, type TrackerDelivery } from '@clew/testing/issue-trackers';
import { CONNECTORS_PATH, connectorTo, makeConnector, type MadeConnector } from '../test-support/connectors.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import type { TouchedIssue } from '../connectors/index.ts';

const environment = useTestEnvironment();
const trackers = new Map<TrackerProvider, LoopbackTracker>();
let service: TestService;
/** Error of the next call for a touched issue. */
let failure: Error | undefined;

beforeAll(async () => {
  service = await startTestService(environment, {
    async onIssueTouched(tx, issue) {
      await nativeDb(service.database.connection)
        .collection('touched')
        .insertOne({ ...issue }, { session: tx });
      const thrown = failure;
      failure = undefined;
      if (thrown !== undefined) throw thrown;
    },
  });
  service.start();
  for (const provider of TRACKER_PROVIDERS) {
    trackers.set(provider, await startLoopbackTracker(provider, { now: () => service.clock.now() }));
  }
});

afterAll(async () => {
  await service.stop();
  for (const tracker of trackers.values()) await tracker.stop();
});

const trackerOf = (provider: TrackerProvider) => trackers.get(provider)!;

interface Sent {
  provider?: string;
  connectorId?: string;
  query?: string;
}

async function send(made: MadeConnector, { headers, body }: TrackerDelivery, sent: Sent = {}) {
  const { provider = made.connector.provider, connectorId = made.connector.id, query = '' } = sent;
  const response = await fetch(`${service.url}/v1/webhooks/${provider}/${connectorId}${query}`, {
    ...{ method: 'POST', headers, body: new Uint8Array(body) },
  });
  const answer = (await response.json()) as Record<string, unknown>;
  return { status: response.status, body: answer };
}

/** Issues that were touched for a connector so far. */
async function touchedOf({ connector, projectId }: MadeConnector): Promise<string[]> {
  const found = nativeDb(service.database.connection).collection('touched').find({ projectId });
  const issues = (await found.toArray()) as unknown as TouchedIssue[];
  expect(issues.every(({ connectorId }) => connectorId === connector.id)).toBe(true);
  return issues.map(({ externalId }) => externalId);
}

const withoutRequest = ({ status, body: { requestId: _requestId, ...body } }: Awaited<ReturnType<typeof send>>) => ({
  ...{ status, body },
});

describe.each(TRACKER_PROVIDERS)('a webhook of %s', (provider) => {
  const fresh = () => {
    const tracker = trackerOf(provider);
    tracker.add('Issue');
    return tracker.deliveryOf(tracker.events.at(-1)!);
  };
  const make = (more: object = {}) => makeConnector(service, { ...connectorTo(trackerOf(provider)), ...more });

  it('touches its issue once, however often it comes', async () => {
    const made = await make();
    const delivery = fresh();
    const first = await send(made, delivery);
    expect(first).toEqual({ status: 202, body: { outcome: 'accepted' } });
    const issues = await touchedOf(made);
    expect(issues).toHaveLength(1);
    const seen = { status: 200, body: { outcome: 'seen_before' } };
    expect(await send(made, delivery)).toEqual(seen);
    const renamed = ['x-github-delivery', 'linear-delivery', 'x-atlassian-webhook-identifier', 'idempotency-key'];
    const headers = Object.fromEntries(
      Object.entries(delivery.headers).map(([name, value]) => [name, renamed.includes(name) ? 'another' : value]),
    );
    expect(await send(made, { ...delivery, headers })).toEqual(seen);
    expect(await touchedOf(made)).toEqual(issues);
  });

  it('touches its issue once where it comes many times at once', async () => {
    const made = await make();
    const delivery = fresh();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(made, delivery)));
    expect(answers.map(({ body }) => body['outcome']).filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    expect(await touchedOf(made)).toHaveLength(1);
  });

  it('that could not be taken is taken when it comes again', async () => {
    const made = await make();
    const delivery = fresh();
    failure = new Error('the database is away');
    expect((await send(made, delivery)).status).toBe(500);
    expect(await touchedOf(made)).toEqual([]);
    expect((await send(made, delivery)).body).toEqual({ outcome: 'accepted' });
    expect(await touchedOf(made)).toHaveLength(1);
  });

  it('is accepted under its alias, with any query', async () => {
    const alias = `provider_${TRACKER_PROVIDERS.indexOf(provider) + 1}`;
    const query = '?a=1&a=2&secret=wrong&__proto__=x';
    expect(await send(await make(), fresh(), { provider: alias, query })).toMatchObject({ status: 202 });
  });

  it('that is tampered with, signed otherwise, or for something that is not there, has one answer', async () => {
    const made = await make();
    const missing = withoutRequest(await send(made, fresh(), { connectorId: newId('con') }));
    expect(missing).toMatchObject({ status: 404, body: { code: 'CONNECTOR_NOT_FOUND' } });
    const delivery = fresh();
    const tampered = { ...delivery, body: Buffer.concat([delivery.body, Buffer.from(' ')]) };
    const signatures = ['x-hub-signature-256', 'x-hub-signature', 'x-gitlab-token', 'linear-signature'];
    const unsigned = Object.fromEntries(
      Object.entries(delivery.headers).filter(([name]) => !signatures.includes(name)),
    );
    const others = TRACKER_PROVIDERS.filter((other) => other !== provider);
    const disabled = await make({ enabled: false });
    const secretless = await make({ webhookSecret: undefined });
    const foreign = await make({ webhookSecret: 'another' });
    const answers = [
      // The token of GitLab says nothing about the body.
      ...(provider === 'gitlab' ? [] : [await send(made, tampered)]),
      await send(made, { ...delivery, headers: unsigned }),
      await send(made, delivery, { connectorId: 'x' }),
      await send(made, delivery, { provider: 'trello' }),
      await send(disabled, delivery),
      await send(secretless, delivery),
      await send(foreign, delivery),
    ];
    for (const other of others) answers.push(await send(made, delivery, { provider: other }));
    expect(answers.map(withoutRequest)).toEqual(answers.map(() => missing));
    for (const each of [made, disabled, secretless, foreign]) expect(await touchedOf(each)).toEqual([]);
    expect((await send(made, delivery)).status).toBe(202);
  });

  it('is still accepted under the former secret for an hour, and no more after its removal', async () => {
    const made = await make();
    const path = `${CONNECTORS_PATH}/${made.connector.id}`;
    const set = (webhookSecret: string | null) =>
      service.call({ method: 'PATCH', projectId: made.projectId, path, body: { webhookSecret } });
    await set('next secret');
    expect((await send(made, fresh())).status).toBe(202);
    service.clock.advance(WEBHOOK_SECRET_GRACE_MS + 1);
    expect((await send(made, fresh())).status).toBe(404);
    await set(trackerOf(provider).webhookSecret);
    expect((await send(made, fresh())).status).toBe(202);
    await set(null);
    expect((await send(made, fresh())).status).toBe(404);
  });

  it('larger than 1 MiB is refused', async () => {
    const large = { headers: fresh().headers, body: Buffer.alloc(1024 * 1024 + 1, ' ') };
    expect((await send(await make(), large)).status).toBe(413);
  });
});

describe('a webhook', () => {
  it('of Linear that is stale is refused, and changes nothing', async () => {
    const tracker = trackerOf('linear');
    const made = await makeConnector(service, connectorTo(tracker));
    tracker.add('Issue');
    const delivery = tracker.deliveryOf(tracker.events.at(-1)!);
    service.clock.advance(60_001);
    expect(await send(made, delivery)).toMatchObject({ status: 400, body: { code: 'WEBHOOK_REFUSED' } });
    expect(await touchedOf(made)).toEqual([]);
  });

  it('about something else is ignored, and one that is no webhook of the provider is refused', async () => {
    const secret = "It's a Secret to Everybody";
    const made = await makeConnector(service, { ...connectorTo(trackerOf('github')), webhookSecret: secret });
    const signed = (text: string, event: string) => {
      const hex = createHmac('sha256', secret).update(text).digest('hex');
      const headers = { 'x-github-event': event, 'x-github-delivery': event, 'x-hub-signature-256': `sha256=${hex}` };
      return { headers, body: Buffer.from(text) };
    };
    expect(await send(made, signed('{"zen":"x"}', 'ping'))).toEqual({ status: 202, body: { outcome: 'ignored' } });
    expect(await send(made, signed('{}', 'issues'))).toMatchObject({ status: 400 });
    expect(await send(made, signed('Hello, World!', 'issues'))).toMatchObject({ status: 400 });
    expect(signed('Hello, World!', 'x').headers['x-hub-signature-256']).toBe(
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    );
    expect(await touchedOf(made)).toEqual([]);
  });

  it('of Jira without a signature needs the secret in its address', async () => {
    const tracker = trackerOf('jira');
    const made = await makeConnector(service, connectorTo(tracker));
    tracker.add('Issue');
    const { headers, body } = tracker.deliveryOf(tracker.events.at(-1)!);
    const unsigned = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'x-hub-signature'));
    const at = (query: string) => send(made, { headers: unsigned, body }, { query });
    expect((await at('')).status).toBe(404);
    expect((await at('?secret=wrong')).status).toBe(404);
    const query = `?secret=${encodeURIComponent(tracker.webhookSecret)}`;
    expect((await at(query)).status).toBe(202);
  });

  it('for a connector whose secret is under another AUTH_SECRET is not answered as if it were unknown', async () => {
    const tracker = trackerOf('github');
    const made = await makeConnector(service, connectorTo(tracker));
    const restored = await startTestService(environment, { authSecret: 'another secret, which is long enough too' });
    restored.start();
    const { headers, body } = tracker.deliveryOf(
      tracker.events.at(-1) ?? (tracker.add('Issue'), tracker.events.at(-1)!),
    );
    const url = `${restored.url}/v1/webhooks/github/${made.connector.id}`;
    const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
    expect(response.status).toBe(500);
    await restored.stop();
  });
});
