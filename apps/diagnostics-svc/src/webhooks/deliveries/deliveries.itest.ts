import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Webhook, WebhookDelivery } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { nativeDb } from '@clew/persistence';
import { eventually, useTestEnvironment } from '@clew/testing';
import type { Call } from '@clew/testing/identities';
import { Webhook as Verifier } from 'standardwebhooks';
import { answering, BEHAVIOURS, startReceiver, type Receiver } from '../../test-support/receiver.ts';
import { startTestService, type TestService } from '../../test-support/service.ts';
import { toldDataset } from '../../test-support/told-events.ts';
import { webhookCollection } from '../registry/webhook.model.ts';
import { deliveryCollection } from './delivery.model.ts';

const DAY_MS = 86_400_000;
const VARIABLES = { WEBHOOK_TIMEOUT_MS: '300', WEBHOOK_PAUSES_MS: '5000,60000' };

const environment = useTestEnvironment();
let service: TestService;
let receiver: Receiver;
let projectId: string;

beforeAll(async () => {
  service = await startTestService(environment, { webhooks: VARIABLES });
  receiver = await startReceiver();
});

beforeEach(() => {
  projectId = newId('prj');
  receiver.behave(answering(200));
  receiver.received.splice(0);
});

afterAll(async () => {
  await receiver.stop();
  await service.stop();
});

type Created = Webhook & { secret: string };

function call<Body>(path = '', request: Omit<Call, 'path'> = {}) {
  return service.call<Body>({ projectId, ...request, path: `//v1/projects/${projectId}/webhooks${path}` });
}

async function create(fields: object = {}): Promise<Created> {
  return (await call<Created>('', { method: 'POST', body: { url: receiver.url, events: ['*'], ...fields } })).body;
}

async function deliveriesOf({ id }: Pick<Webhook, 'id'>, query = ''): Promise<WebhookDelivery[]> {
  return (await call<{ deliveries: WebhookDelivery[] }>(`/${id}/deliveries${query}`)).body.deliveries;
}

const tell = (fields: Parameters<typeof toldDataset>[1] = {}) =>
  service.webhooks.take([toldDataset(projectId, fields)]);

/** Runs rounds until nothing of any test is due. */
async function deliver(): Promise<void> {
  while ((await service.webhooks.round()) > 0);
}

describe('a delivery', () => {
  it('is signed, has the id of its event, and is told in the log', async () => {
    const webhook = await create();
    await tell({ eventId: 'evt_1', occurredAt: 1_700_000_000_000 });
    await deliver();
    const [got] = receiver.received;
    expect(got!.headers).toMatchObject({ 'webhook-id': 'evt_1', 'x-clew-event': 'dataset.changed' });
    const signedAt = new Date(Number(got!.headers['webhook-timestamp']) * 1_000);
    const signature = new Verifier(webhook.secret).sign('evt_1', signedAt, got!.body);
    expect(got!.headers['webhook-signature']).toBe(signature);
    expect(JSON.parse(got!.body)).toMatchObject({
      ...{ type: 'dataset.changed', timestamp: '2023-11-14T22:13:20.000Z' },
      data: { projectId, datasetId: 'dst_1', version: 1 },
    });
    expect(await deliveriesOf(webhook)).toMatchObject([
      {
        ...{ eventId: 'evt_1', status: 'delivered', nextTryAt: null, failureReason: null },
        tries: [{ at: service.clock.now(), statusCode: 200, error: null, answer: 'thanks' }],
      },
    ]);
  });

  it('is made once for each webhook that wants the event, however often its message comes', async () => {
    const [all, some, none] = [
      await create(),
      await create({ events: ['dataset.*'] }),
      await create({ events: ['finding.*'] }),
    ];
    const disabled = await create({ enabled: false });
    const event = toldDataset(projectId);
    for (let time = 0; time < 3; time += 1) await service.webhooks.take([event]);
    await deliver();
    const counts = await Promise.all([all, some, none, disabled].map(async (one) => (await deliveriesOf(one)).length));
    expect(counts).toEqual([1, 1, 0, 0]);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([event.eventId, event.eventId]);
  });

  it('writes nothing for a project without webhooks', async () => {
    const event = toldDataset(projectId);
    await service.webhooks.take([event]);
    const inbox = nativeDb(service.database.connection).collection<{ _id: string }>('inbox');
    expect(await inbox.countDocuments({ _id: { $regex: event.eventId } })).toBe(0);
    expect(await deliveryCollection(service.database.connection).countDocuments({ projectId })).toBe(0);
  });

  it('is the data alone in the format json, and a message in that of Slack', async () => {
    await create({ format: 'json' });
    await create({ format: 'slack' });
    await tell();
    await deliver();
    const bodies = receiver.received.map(({ body }) => JSON.parse(body) as object);
    expect(bodies).toContainEqual(expect.objectContaining({ projectId, datasetId: 'dst_1' }));
    expect(bodies).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('has version 1'), mrkdwn: false }),
    );
  });
});

describe('a receiver', () => {
  it.each([
    ['answers 500', answering(500), 'The receiver answered 500', 500],
    ['answers 404', answering(404), 'The receiver answered 404', 404],
    ['answers with a redirect', answering(302, { location: '/elsewhere' }), 'redirects are not followed', 302],
    ['hangs', BEHAVIOURS.hang, 'No answer came within 0.3 s', null],
    ['cuts the connection', BEHAVIOURS.cut, 'The connection failed', null],
  ])('that %s is tried again after each pause, and then given up', async (_name, behaviour, error, statusCode) => {
    receiver.behave(behaviour);
    const webhook = await create();
    await tell();
    await deliver();
    const [failed] = await deliveriesOf(webhook, '?status=pending');
    expect(failed!.tries).toMatchObject([{ statusCode, error: expect.stringContaining(error) }]);
    for (let time = 0; time < 2; time += 1) {
      service.clock.advance(72_001);
      await deliver();
    }
    const [given] = await deliveriesOf(webhook);
    expect(given).toMatchObject({ status: 'failed', failureReason: 'Every try failed', nextTryAt: null });
    expect(given!.tries).toHaveLength(3);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([given!.eventId]));
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook', '/hook']);
  });

  it('that floods its answer has succeeded, and its first bytes are kept', async () => {
    receiver.behave(BEHAVIOURS.flood);
    const webhook = await create();
    await tell();
    await deliver();
    const [done] = await deliveriesOf(webhook);
    expect(done).toMatchObject({ status: 'delivered', tries: [{ statusCode: 200, answer: 'x'.repeat(512) }] });
  });

  it('that asks for a pause gets it, up to an hour', async () => {
    receiver.behave(answering(429, { 'retry-after': '1800' }));
    const webhook = await create();
    await tell();
    await deliver();
    expect((await deliveriesOf(webhook))[0]!.nextTryAt).toBe(service.clock.now() + 1_800_000);
    await tell();
    await deliver();
    expect(receiver.received).toHaveLength(1);
    service.clock.advance(1_800_000);
    receiver.behave(answering(200));
    await deliver();
    expect((await deliveriesOf(webhook)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  });

  it('that answers 410 is disabled at once, and what waits for it fails', async () => {
    receiver.behave(answering(410));
    const webhook = await create();
    await tell();
    await tell();
    await deliver();
    expect((await call<Webhook>(`/${webhook.id}`)).body).toMatchObject({
      ...{ enabled: false, disabledReason: 'The receiver answered 410 Gone', disabledAt: service.clock.now() },
    });
    expect(await deliveriesOf(webhook, '?status=pending')).toEqual([]);
    await tell();
    expect(await deliveriesOf(webhook)).toHaveLength(2);
  });

  it('that fails for days is disabled with the reason, and enabled again by a person', async () => {
    receiver.behave(answering(503));
    const webhook = await create();
    const since = service.clock.now();
    await tell();
    await deliver();
    expect((await call<Webhook>(`/${webhook.id}`)).body).toMatchObject({ enabled: true, failingSince: since });
    service.clock.advance(5 * DAY_MS);
    await tell();
    await deliver();
    expect((await call<Webhook>(`/${webhook.id}`)).body).toMatchObject({
      ...{ enabled: false, disabledReason: `No delivery has succeeded since ${new Date(since).toISOString()}` },
    });
    const [failed] = await deliveriesOf(webhook, '?status=failed');
    const path = `/${webhook.id}/deliveries/${failed!.id}/redeliver`;
    expect(await call(path, { method: 'POST' })).toMatchObject({ status: 409, body: { code: 'WEBHOOK_DISABLED' } });
    const enabled = await call<Webhook>(`/${webhook.id}`, { method: 'PATCH', body: { enabled: true } });
    expect(enabled.body).toMatchObject({ enabled: true, disabledReason: null, disabledAt: null, failingSince: null });
    receiver.behave(answering(200));
    expect((await call(path, { method: 'POST' })).status).toBe(202);
    await deliver();
    expect(await call(`/${webhook.id}/deliveries/${failed!.id}`)).toMatchObject({ body: { status: 'delivered' } });
  });

  it('that hangs leaves the receivers of others alone', async () => {
    const slow = await startReceiver(BEHAVIOURS.hang);
    await create({ url: slow.url });
    await create();
    for (let count = 0; count < 50; count += 1) await tell();
    const parts = service.start();
    await eventually(() => expect(receiver.received).toHaveLength(50));
    expect(slow.received.length).toBeLessThanOrEqual(4);
    for (const part of parts) await part.stop();
    await slow.stop();
  });
});

describe('a redelivery', () => {
  it('sends an event that was delivered once more, under the same id', async () => {
    const webhook = await create();
    await tell();
    await deliver();
    const [done] = await deliveriesOf(webhook);
    const path = `/${webhook.id}/deliveries/${done!.id}`;
    expect(await call(`${path}/redeliver`, { method: 'POST' })).toMatchObject({
      ...{ status: 202, body: { id: done!.id, status: 'pending', nextTryAt: service.clock.now() } },
    });
    await deliver();
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([done!.eventId, done!.eventId]);
    expect(await call(path)).toMatchObject({ body: { status: 'delivered', tries: [{}, {}] } });
  });

  it('of an unknown delivery is 404', async () => {
    const webhook = await create();
    const path = `/${webhook.id}/deliveries/dlv_1/redeliver`;
    expect(await call(path, { method: 'POST' })).toMatchObject({
      ...{ status: 404, body: { code: 'WEBHOOK_DELIVERY_NOT_FOUND' } },
    });
  });
});

describe('a process that dies between sending and noting', () => {
  it('leaves the delivery to another one, which sends it again under the same id', async () => {
    const dying = await startTestService(environment, { webhooks: VARIABLES });
    const doomed = newId('prj');
    const path = `//v1/projects/${doomed}/webhooks`;
    const body = { url: receiver.url, events: ['*'] };
    expect((await dying.call({ projectId: doomed, method: 'POST', path, body })).status).toBe(201);
    await dying.webhooks.take([toldDataset(doomed)]);
    // The receiver has the event, and from then on the process reaches no database.
    receiver.behave((response) => void dying.database.close().then(() => response.writeHead(200).end()));
    await dying.webhooks.round().catch(() => undefined);
    expect(receiver.received).toHaveLength(1);
    receiver.behave(answering(200));
    await deliver();
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.received).toHaveLength(2);
    await dying.stop();
  });
});

describe('what is removed', () => {
  it('takes the deliveries of a webhook with it, and those that quote an erased conversation', async () => {
    const [kept, gone] = [await create(), await create()];
    const finding = { findingId: 'fnd_1', title: null, conversationId: 'erased' };
    await tell({ type: 'finding.created', ...finding, data: finding });
    await tell();
    const erase = `//internal/v1/projects/${projectId}/conversations/erased/findings`;
    const principal = { kind: 'service', id: 'telemetry-warehouse' } as const;
    const { body } = await service.call({ method: 'DELETE', path: erase, projectId, principal });
    expect(body).toMatchObject({ removed: { deliveries: 2 } });
    expect((await deliveriesOf(kept)).map(({ type }) => type)).toEqual(['dataset.changed']);
    // Events of it that come afterwards do not name it.
    await tell({ type: 'finding.changed', ...finding, data: finding });
    const late = (await deliveriesOf(kept)).find(({ type }) => type === 'finding.changed');
    expect(late!.data).toMatchObject({ conversationId: '', title: null });
    await call(`/${gone.id}`, { method: 'DELETE' });
    expect(await deliveryCollection(service.database.connection).countDocuments({ webhookId: gone.id })).toBe(0);
  });

  it('is all of a project that is erased', async () => {
    await create();
    await tell();
    const path = `//internal/v1/projects/${projectId}/diagnostics`;
    const principal = { kind: 'service', id: 'gateway' } as const;
    expect((await service.call({ method: 'DELETE', path, projectId, principal })).status).toBe(200);
    const { connection } = service.database;
    expect(await deliveryCollection(connection).countDocuments({ projectId })).toBe(0);
    expect(await webhookCollection(connection).countDocuments({ projectId })).toBe(0);
  });
});
