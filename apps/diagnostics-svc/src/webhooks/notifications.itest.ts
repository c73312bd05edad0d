import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Webhook, WebhookDelivery } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { startSmtpServer, useTestEnvironment, type TestSmtpServer } from '@clew/testing';
import type { Call } from '@clew/testing/identities';
import { answering, startReceiver, type Receiver } from '../test-support/receiver.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { toldDataset } from '../test-support/told-events.ts';
import { reviewCollection } from '../reviewer/index.ts';
import { rateWatchCollection } from './registry/rate-watch.model.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const environment = useTestEnvironment();
let mail: TestSmtpServer;
let service: TestService;
let receiver: Receiver;
let projectId: string;

beforeAll(async () => {
  mail = await startSmtpServer();
  service = await startTestService(environment, { webhooks: { SMTP_URL: mail.url } });
  receiver = await startReceiver();
});

beforeEach(() => {
  projectId = newId('prj');
  mail.behaviour = 'takes';
  mail.letters.splice(0);
  receiver.behave(answering(200));
  receiver.received.splice(0);
});

afterAll(async () => {
  await receiver.stop();
  await service.stop();
  await mail.stop();
});

function call<Body>(path = '', request: Omit<Call, 'path'> = {}) {
  return service.call<Body>({ projectId, ...request, path: `//v1/projects/${projectId}/webhooks${path}` });
}

async function create(fields: object = {}): Promise<Webhook> {
  const created = await call<Webhook>('', { method: 'POST', body: { url: receiver.url, events: ['*'], ...fields } });
  expect(created.status).toBe(201);
  return created.body;
}

const createLetters = (fields: object = {}) => create({ format: 'email', url: 'mailto:team@acme.example', ...fields });

function tellFinding(severity: string) {
  const data = { findingId: `fnd_${newId('evt')}`, severity, title: null, conversationId: 'c' };
  return service.webhooks.take([toldDataset(projectId, { type: 'finding.created', data })]);
}

async function deliver(): Promise<void> {
  while ((await service.webhooks.round()) > 0);
}

describe('a webhook with severities', () => {
  it('is told of Findings of these alone, and of all that is no Finding', async () => {
    await create({ severities: ['critical', 'high'] });
    for (const severity of ['low', 'high', 'medium', 'critical']) await tellFinding(severity);
    await service.webhooks.take([toldDataset(projectId)]);
    await deliver();
    const told = receiver.received.map(({ body }) => (JSON.parse(body) as { data: { severity?: string } }).data);
    expect(told.map(({ severity }) => severity).sort()).toEqual(['critical', 'high', undefined]);
  });
});

describe('letters', () => {
  it('tell at once, and then all that happens within a minute together', async () => {
    const webhook = await createLetters();
    await tellFinding('high');
    await deliver();
    for (const severity of ['low', 'medium', 'critical']) await tellFinding(severity);
    await deliver();
    expect(mail.letters).toHaveLength(1);
    service.clock.advance(MINUTE_MS);
    await deliver();
    expect(mail.letters).toHaveLength(2);
    expect(mail.letters[0]).toContain('To: team@acme.example');
    expect(mail.letters[0]).toContain('New Finding (high)');
    for (const severity of ['low', 'medium', 'critical'])
      expect(mail.letters[1]).toContain(`New Finding (${severity})`);
    const { body } = await call<{ deliveries: WebhookDelivery[] }>(`/${webhook.id}/deliveries`);
    expect(body.deliveries.map(({ status }) => status)).toEqual(Array(4).fill('delivered'));
  });

  it('that the mail server refuses are tried again, and the log says why without the address', async () => {
    mail.behaviour = 'refuses';
    const webhook = await createLetters();
    await tellFinding('high');
    await deliver();
    const read = async () => (await call<{ deliveries: WebhookDelivery[] }>(`/${webhook.id}/deliveries`)).body;
    const [refused] = (await read()).deliveries;
    expect(refused!.status).toBe('pending');
    expect(refused!.tries[0]!.error).toMatch(/^The mail server did not take the letter \(.*550\)$/);
    mail.behaviour = 'takes';
    service.clock.advance(MINUTE_MS);
    await deliver();
    expect((await read()).deliveries).toMatchObject([{ status: 'delivered' }]);
  });

  it('go out for a test', async () => {
    const webhook = await createLetters();
    expect(await call(`/${webhook.id}/test`, { method: 'POST' })).toMatchObject({ body: { ok: true, error: null } });
    expect(mail.letters[0]).toContain('This is a test');
  });

  it('never go to a URL, nor events to a mail address, whether it is made so or changed', async () => {
    for (const body of [{ url: receiver.url, format: 'email' }, { url: 'mailto:team@acme.example' }]) {
      expect(await call('', { method: 'POST', body: { events: ['*'], ...body } })).toMatchObject({
        ...{ status: 400, body: { code: 'VALIDATION_FAILED', details: [{ path: 'body.url' }] } },
      });
    }
    const letters = await createLetters();
    const hook = await create();
    for (const [id, body] of [
      [letters.id, { url: receiver.url }],
      [hook.id, { format: 'email' }],
    ] as const) {
      expect(await call(`/${id}`, { method: 'PATCH', body })).toMatchObject({
        ...{ status: 400, body: { code: 'OUTBOUND_REFUSED', details: [{ path: 'body.url' }] } },
      });
    }
  });
});

describe('a failure rate', () => {
  const addReviews = async (count: number, { failed, inclusion = 0.5 }: { failed: number; inclusion?: number }) => {
    const reviews = reviewCollection(service.database.connection);
    const startedAt = service.clock.now() - HOUR_MS;
    await reviews.insertMany(
      Array.from({ length: count }, (_, at) => ({
        ...{ _id: newId('evt'), projectId, conversationId: `c${at}`, inclusion, startedAt, reviewedAt: startedAt },
        result: { failureProbability: at < failed ? 0.9 : 0.1, model: 'acme/strong' },
      })) as never,
    );
  };

  const rates = () =>
    receiver.received
      .filter(({ headers }) => headers['x-clew-event'] === 'failure_rate.exceeded')
      .map(({ body }) => (JSON.parse(body) as { data: object }).data);

  async function anHourLater(): Promise<void> {
    service.clock.advance(HOUR_MS);
    while ((await service.webhooks.watchRates()) > 0);
    await deliver();
  }

  it('above the bound is told once, and again after it was below', async () => {
    await create({ events: ['failure_rate.exceeded'], failureRateAbove: 0.25 });
    await addReviews(30, { failed: 6 });
    await anHourLater();
    expect(rates()).toEqual([]);
    await addReviews(30, { failed: 20 });
    await anHourLater();
    await anHourLater();
    expect(rates()).toMatchObject([{ projectId, reviewed: 60, above: 0.25, rate: 0.4333 }]);
    await addReviews(200, { failed: 0 });
    await anHourLater();
    await addReviews(200, { failed: 200 });
    await anHourLater();
    expect(rates()).toHaveLength(2);
  });

  it('of few reviews, of reviews that were not drawn at random, and of another project is not told', async () => {
    await create({ failureRateAbove: 0.1 });
    await addReviews(19, { failed: 19 });
    await addReviews(50, { failed: 50, inclusion: 0 });
    const own = projectId;
    projectId = newId('prj');
    await addReviews(50, { failed: 50 });
    projectId = own;
    await anHourLater();
    expect(rates()).toEqual([]);
  });

  it('is told anew under another bound, and no longer watched for a webhook that is gone or wants other things', async () => {
    const [changed, gone, other] = [await create(), await create(), await create({ events: ['finding.*'] })];
    await addReviews(40, { failed: 40 });
    await anHourLater();
    expect(rates()).toHaveLength(2);
    await call(`/${changed.id}`, { method: 'PATCH', body: { failureRateAbove: 0.5 } });
    await call(`/${gone.id}`, { method: 'DELETE' });
    await anHourLater();
    expect(rates()).toHaveLength(3);
    const watched = await rateWatchCollection(service.database.connection).find({ projectId }).toArray();
    expect(watched.map(({ _id }) => _id)).toEqual([changed.id]);
    await call(`/${other.id}`, { method: 'PATCH', body: { events: ['*'] } });
    await anHourLater();
    expect(rates()).toHaveLength(4);
  });
});
