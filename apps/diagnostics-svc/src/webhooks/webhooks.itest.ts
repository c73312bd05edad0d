import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deedRecorded, MAX_WEBHOOKS_OF_PROJECT, type Webhook, type WebhookTest } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { nativeDb } from '@clew/persistence';
import { storedText, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import type { Call } from '@clew/testing/identities';
import { Webhook as Verifier } from 'standardwebhooks';
import { answering, startReceiver, type Receiver } from '../test-support/receiver.ts';
import { startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;
let receiver: Receiver;
let projectId: string;

beforeAll(async () => {
  service = await startTestService(environment);
  receiver = await startReceiver();
});

beforeEach(() => {
  projectId = newId('prj');
  receiver.behave(answering(200));
});

afterAll(async () => {
  await receiver.stop();
  await service.stop();
});

type Created = Webhook & { secret: string };

function call<Body>(path = '', request: Omit<Call, 'path'> = {}) {
  return service.call<Body>({ projectId, ...request, path: `//v1/projects/${projectId}/webhooks${path}` });
}

const create = (fields: object = {}) =>
  call<Created>('', { method: 'POST', body: { url: receiver.url, events: ['*'], ...fields } });

describe('a webhook', () => {
  it('has its deeds recorded for the audit, without its secret and without what follows the host of its URL', async () => {
    const url = 'https://hooks.chat.example/services/canary?token=canary';
    const { body } = await create({ url });
    await call(`/${body.id}`, { method: 'PATCH', body: { enabled: false } });
    const rotated = await call<Created>(`/${body.id}/rotate`, { method: 'POST', body: {} });
    await call(`/${body.id}`, { method: 'DELETE' });
    const deeds = await emittedMessages(service.database, deedRecorded, projectId);
    expect(deeds.map(({ data: { action, before, after } }) => ({ action, before, after }))).toMatchObject([
      { action: 'webhook.created', after: { url: 'https://hooks.chat.example/...', events: ['*'] } },
      { action: 'webhook.changed', before: { enabled: true }, after: { enabled: false } },
      { action: 'webhook.secret-rotated', before: {}, after: { secret: 'changed' } },
      { action: 'webhook.deleted', before: { enabled: false }, after: null },
    ]);
    for (const secret of ['canary', body.secret, rotated.body.secret])
      expect(JSON.stringify(deeds)).not.toContain(secret);
  });

  it('is made with its secret, and never shows it again', async () => {
    const created = await create({ description: 'ours' });
    const { secret, ...shown } = created.body;
    expect(created).toMatchObject({ status: 201, body: { enabled: true, format: 'standard', description: 'ours' } });
    expect(created.headers.get('location')).toBe(`/v1/projects/${projectId}/webhooks/${shown.id}`);
    const read = await call<Webhook>(`/${shown.id}`);
    const listed = await call<{ webhooks: Webhook[] }>();
    const changed = await call(`/${shown.id}`, { method: 'PATCH', body: { events: ['finding.*'] } });
    expect(read.body).toEqual(shown);
    expect(listed.body).toEqual({ webhooks: [shown], nextCursor: null });
    expect(changed).toMatchObject({ status: 200, body: { events: ['finding.*'] } });
    expect(JSON.stringify([read, listed, changed])).not.toContain(secret);
    const stored = await storedText(nativeDb(service.database.connection));
    expect([...stored.values()].filter((text) => text.includes(secret.slice('whsec_'.length)))).toEqual([]);
    expect((await call(`/${shown.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await call(`/${shown.id}`)).toMatchObject({ status: 404, body: { code: 'WEBHOOK_NOT_FOUND' } });
  });

  it('keeps no reply of its creation, so that no secret is stored', async () => {
    const headers = { 'idempotency-key': 'once' };
    const request = { method: 'POST', body: { url: receiver.url, events: ['*'] }, headers } as const;
    const [first, second] = [await call<Created>('', request), await call<Created>('', request)];
    expect(first.body.id).not.toBe(second.body.id);
  });

  it('is changed and deleted only as the state that If-Match names', async () => {
    const { body, headers } = await create();
    const ifMatch = { 'if-match': headers.get('etag') ?? '' };
    const change = { method: 'PATCH', body: { enabled: false }, headers: ifMatch } as const;
    expect((await call(`/${body.id}`, change)).status).toBe(200);
    expect((await call(`/${body.id}`, change)).status).toBe(412);
    expect((await call(`/${body.id}/rotate`, { method: 'POST', headers: ifMatch, body: {} })).status).toBe(412);
    expect((await call(`/${body.id}`, { method: 'DELETE', headers: ifMatch })).status).toBe(412);
  });

  it.each([
    ['no event', { events: [] }, 'VALIDATION_FAILED'],
    ['an unknown event', { events: ['finding.gone'] }, 'VALIDATION_FAILED'],
    ['an event twice', { events: ['*', '*'] }, 'VALIDATION_FAILED'],
    ['an unknown format', { format: 'xml' }, 'VALIDATION_FAILED'],
    ['a severity that does not exist', { severities: ['dire'] }, 'VALIDATION_FAILED'],
    ['a bound beyond all', { failureRateAbove: 1.1 }, 'VALIDATION_FAILED'],
    ['two addresses', { format: 'email', url: 'mailto:a@b.example,c@d.example' }, 'VALIDATION_FAILED'],
    ['a header in its address', { format: 'email', url: 'mailto:a@b.example?bcc=c@d.example' }, 'VALIDATION_FAILED'],
    ['a letter where there is no mail server', { format: 'email', url: 'mailto:a@b.example' }, 'OUTBOUND_REFUSED'],
    ['an unknown field', { secret: 'whsec_x' }, 'VALIDATION_FAILED'],
    ['credentials in its URL', { url: 'https://u:p@a.example/' }, 'VALIDATION_FAILED'],
    ['another scheme', { url: 'ftp://a.example/' }, 'VALIDATION_FAILED'],
    ['the metadata service', { url: 'http://169.254.169.254/' }, 'OUTBOUND_REFUSED'],
    ['a private address', { url: 'http://10.0.0.1/' }, 'OUTBOUND_REFUSED'],
    ['a private address in another notation', { url: 'http://0x0a000001/' }, 'OUTBOUND_REFUSED'],
  ])('is refused with %s, when it is made and when it is changed', async (_name, fields, code) => {
    expect(await create(fields)).toMatchObject({ status: 400, body: { code } });
    const { body } = await create();
    expect(await call(`/${body.id}`, { method: 'PATCH', body: fields })).toMatchObject({ status: 400, body: { code } });
  });

  it(`is one of ${MAX_WEBHOOKS_OF_PROJECT} at most, also where many are made at once; a deleted one makes room`, async () => {
    const answers = await Promise.all(Array.from({ length: MAX_WEBHOOKS_OF_PROJECT + 5 }, () => create()));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(MAX_WEBHOOKS_OF_PROJECT);
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({
      status: 409,
      body: { code: 'TOO_MANY_WEBHOOKS' },
    });
    await call(`/${made[0]!.body.id}`, { method: 'DELETE' });
    expect((await create()).status).toBe(201);
  });

  it('of another project is one that does not exist', async () => {
    const { body } = await create();
    projectId = newId('prj');
    const requests = [
      ['', 'GET'],
      ['', 'PATCH'],
      ['', 'DELETE'],
      ['/rotate', 'POST'],
      ['/test', 'POST'],
      ['/deliveries', 'GET'],
    ] as const;
    for (const [path, method] of requests) {
      const sent = method === 'PATCH' ? { enabled: false } : path === '/rotate' ? {} : undefined;
      const answer = await call(`/${body.id}${path}`, { method, ...(sent === undefined ? {} : { body: sent }) });
      expect(answer).toMatchObject({ status: 404, body: { code: 'WEBHOOK_NOT_FOUND' } });
    }
  });
});

describe('a rotation', () => {
  it('gives a new secret, and tests are signed with both until the grace time is over', async () => {
    const { body } = await create();
    const rotated = await call<Created>(`/${body.id}/rotate`, { method: 'POST', body: { graceMs: 60_000 } });
    expect(rotated).toMatchObject({ status: 200, body: { previousSecretValidUntil: service.clock.now() + 60_000 } });
    const sign = async () => {
      await call(`/${body.id}/test`, { method: 'POST' });
      return receiver.received.at(-1)!;
    };
    const both = await sign();
    const signatures = String(both.headers['webhook-signature']).split(' ');
    expect(signatures).toHaveLength(2);
    for (const [index, secret] of [rotated.body.secret, body.secret].entries()) {
      const { 'webhook-id': id, 'webhook-timestamp': seconds } = both.headers;
      const at = new Date(Number(seconds) * 1_000);
      expect(new Verifier(secret).sign(String(id), at, both.body)).toBe(signatures[index]);
    }
    service.clock.advance(60_000);
    expect(String((await sign()).headers['webhook-signature']).split(' ')).toHaveLength(1);
    expect((await call<Webhook>(`/${body.id}`)).body.previousSecretValidUntil).toBeNull();
  });
});

describe('a test', () => {
  const test = async (fields: object = {}) => {
    const { body } = await create(fields);
    return (await call<WebhookTest>(`/${body.id}/test`, { method: 'POST' })).body;
  };

  it('sends a ping, also to a webhook that is disabled, and tells what came back', async () => {
    expect(await test({ enabled: false })).toMatchObject({ ok: true, statusCode: 200, error: null, answer: 'thanks' });
    expect(JSON.parse(receiver.received.at(-1)!.body)).toMatchObject({ type: 'ping', data: { projectId } });
  });

  it('tells of failures without the address', async () => {
    receiver.behave(answering(500, {}, 'broken'));
    const broken = { ok: false, statusCode: 500, error: 'The receiver answered 500', answer: 'broken' };
    expect(await test()).toMatchObject(broken);
    const closed = await startReceiver();
    await closed.stop();
    const refused = { ok: false, statusCode: null, error: 'The connection failed (ECONNREFUSED)', answer: null };
    expect(await test({ url: closed.url })).toMatchObject(refused);
  });
});
