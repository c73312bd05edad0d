import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  WEBHOOK_EVENTS,
  webhookBody,
  type Webhook,
  type WebhookDelivery,
  type WebhookEventType,
} from '@clew/contracts';
import { eventually } from '@clew/testing';
import { Webhook as Verifier } from 'standardwebhooks';
import { createTestDataset, manualExample } from './support/datasets.ts';
import { makeFinding } from './support/findings.ts';
import { makeItem } from './support/knowledge.ts';
import { stackHome } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';
import { startHandoff } from './support/work-items.ts';
import { startWebhookReceiver, type ReceivedEvent, type WebhookReceiver } from './support/webhook-receiver.ts';

type Created = Webhook & { secret: string };

const PATIENCE = { timeoutMs: 30_000 };
let receiver: WebhookReceiver;
let project: TestProject;
const secrets: string[] = [];

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  project = await createTestProject('webhooks');
});

afterEach(async () => {
  const { body } = await project.call<{ webhooks: Webhook[] }>('/webhooks');
  for (const { id } of body.webhooks) {
    expect((await project.call(`/webhooks/${id}`, { method: 'DELETE' })).status).toBe(204);
  }
  receiver.received.splice(0);
  receiver.status = 200;
});

afterAll(() => receiver.stop());

async function create(fields: object = {}, of = project): Promise<Created> {
  const { status, body } = await of.call<Created>('/webhooks', {
    body: { url: receiver.url, events: ['*'], ...fields },
  });
  expect(status).toBe(201);
  secrets.push(body.secret);
  return body;
}

const verified = (secret: string, { headers, body }: ReceivedEvent) =>
  new Verifier(secret).verify(body, headers as Record<string, string>) as { type: WebhookEventType; data: object };

const typeOf = ({ headers }: ReceivedEvent) => String(headers['x-clew-event']);

/** Waits for an event of the type, which must verify and fit its schema. */
async function arrives(type: WebhookEventType, { secret }: Created): Promise<ReceivedEvent> {
  return await eventually(() => {
    const found = receiver.received.find((event) => typeOf(event) === type);
    if (found === undefined) throw new Error(`No ${type} yet: ${receiver.received.map(typeOf).join(', ')}`);
    webhookBody(type, WEBHOOK_EVENTS[type].data).parse(verified(secret, found));
    return Promise.resolve(found);
  }, PATIENCE);
}

/** Makes a Dataset and adds an Example to it; returns its path below the project. */
async function changeDataset(): Promise<string> {
  const { path } = await createTestDataset(project);
  expect((await project.call(`${path}/examples`, { body: manualExample('a') })).status).toBe(201);
  return path;
}

describe('a webhook', () => {
  it('is told of Findings, Knowledge, Datasets and backfills, signed, in the form that is documented', async () => {
    const webhook = await create();
    const finding = await makeFinding(project);
    await arrives('finding.created', webhook);
    await project.call(finding, { method: 'PATCH', body: { resolutionStatus: 'resolved' } });
    const resolved = await arrives('finding.resolved', webhook);
    expect(verified(webhook.secret, resolved).data).toMatchObject({
      ...{ projectId: project.id, title: expect.any(String), actor: { kind: 'key' } },
    });
    await project.call(await makeItem(project), { method: 'PATCH', body: { status: 'archived' } });
    await arrives('knowledge_item.changed', webhook);
    const path = await changeDataset();
    await arrives('dataset.changed', webhook);
    await project.call(path, { method: 'DELETE' });
    await arrives('dataset.deleted', webhook);
    const { body } = await project.call<{ rules: { ruleId: string; ruleKey: string }[] }>('/diagnostics/rules');
    const rule = body.rules.find(({ ruleKey }) => ruleKey === 'tool_error_unhandled');
    const window = { startMs: 1, endMs: 2 };
    const requested = await project.call(`/diagnostics/rules/${rule?.ruleId}/backfill-requests`, { body: window });
    expect(requested.status).toBe(202);
    await arrives('backfill.ended', webhook);
  });

  it('is told of work items', async () => {
    const handoff = await startHandoff('github');
    try {
      const webhook = await create({ events: ['work_item.*'] }, handoff.project);
      const { body: item } = await handoff.call('', { body: { provider: 'github' } });
      const made = await arrives('work_item.created', webhook);
      expect(verified(webhook.secret, made).data).toMatchObject({
        ...{ projectId: handoff.project.id, workItemId: item.id, findingId: item.findingId, provider: 'github' },
      });
      await handoff.call(`/${item.id}/abandon`, { method: 'POST' });
      await arrives('work_item.changed', webhook);
    } finally {
      await handoff.tracker.stop();
    }
  });

  it('signs with both secrets after a rotation, and sends again what is asked for', async () => {
    const webhook = await create({ events: ['dataset.changed'] });
    const path = `/webhooks/${webhook.id}`;
    const rotated = await project.call<Created>(`${path}/rotate`, { method: 'POST', body: {} });
    secrets.push(rotated.body.secret);
    await changeDataset();
    const got = await arrives('dataset.changed', webhook);
    expect(verified(rotated.body.secret, got)).toEqual(verified(webhook.secret, got));
    const delivery = await eventually(async () => {
      const { body } = await project.call<{ deliveries: WebhookDelivery[] }>(`${path}/deliveries?status=delivered`);
      const found = body.deliveries.find(({ eventId }) => eventId === got.headers['webhook-id']);
      if (found === undefined) throw new Error('it is not in the log yet');
      return found;
    }, PATIENCE);
    expect((await project.call(`${path}/deliveries/${delivery.id}/redeliver`, { method: 'POST' })).status).toBe(202);
    await eventually(() => {
      const same = receiver.received.filter(({ headers }) => headers['webhook-id'] === delivery.eventId);
      expect(same.length).toBeGreaterThan(1);
      return Promise.resolve();
    }, PATIENCE);
  });

  it('is disabled with the reason once it has failed for long, and enabled again', async () => {
    const webhook = await create({ events: ['dataset.*'] });
    const path = `/webhooks/${webhook.id}`;
    receiver.status = 500;
    await changeDataset();
    const state = async () => (await project.call<Webhook>(path)).body;
    await eventually(async () => expect((await state()).failingSince).not.toBeNull(), PATIENCE);
    await eventually(async () => {
      await changeDataset();
      expect(await state()).toMatchObject({ enabled: false, disabledReason: expect.stringContaining('No delivery') });
    }, PATIENCE);
    receiver.status = 200;
    const enabled = await project.call<Webhook>(path, { method: 'PATCH', body: { enabled: true } });
    expect(enabled.body).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
    receiver.received.splice(0);
    await changeDataset();
    await arrives('dataset.changed', webhook);
  });

  it('reaches no private address, and is unknown to other projects', async () => {
    for (const url of ['http://169.254.169.254/', 'http://10.0.0.1/', 'http://[::ffff:10.0.0.1]/']) {
      const refused = await project.call('/webhooks', { body: { url, events: ['*'] } });
      expect(refused).toMatchObject({ status: 400, body: { code: 'OUTBOUND_REFUSED' } });
    }
    const webhook = await create();
    const other = await createTestProject('no webhooks');
    expect(await other.call(`/webhooks/${webhook.id}`)).toMatchObject({
      ...{ status: 404, body: { code: 'WEBHOOK_NOT_FOUND' } },
    });
  });
});

it('no secret is in any log', () => {
  const folder = join(stackHome(), 'logs');
  const logs = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(logs.length).toBeGreaterThan(0);
  expect(secrets.length).toBeGreaterThan(3);
  for (const { parentPath, name } of logs) {
    const text = readFileSync(join(parentPath, name), 'utf8');
    const seen = secrets.filter((secret) => text.includes(secret.slice('whsec_'.length)));
    expect({ name, seen }).toEqual({ name, seen: [] });
  }
});
