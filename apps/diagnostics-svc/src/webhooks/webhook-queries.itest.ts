import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewWebhook } from '@clew/contracts';
import { newId } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import { createSecretBox } from '@clew/secrets';
import { explainSent, monitored, useTestEnvironment } from '@clew/testing';
import { openTestDatabase } from '../test-support/service.ts';
import { deliveryCollection, type DeliveryDocument } from './deliveries/delivery.model.ts';
import { deliveryIdOf } from './deliveries/delivery.ts';
import { createDeliveryStore, type DeliveryStore } from './deliveries/deliveries.store.ts';
import { newSecret, newWebhook, type StoredWebhook } from './registry/webhook.ts';
import { createWebhookStore, type WebhookStore } from './registry/webhooks.store.ts';

const NOW_MS = 1_780_000_000_000;
const OF_WEBHOOK = 200;
const LIMIT = 10;

const environment = useTestEnvironment();
const projectIds = Array.from({ length: 10 }, () => newId('prj'));
const box = createSecretBox({ authSecret: 'a secret of the tests, which is long enough' });
let database: Database;
let webhooks: WebhookStore;
let deliveries: DeliveryStore;
let stored: StoredWebhook[];

beforeAll(async () => {
  database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  webhooks = createWebhookStore(database);
  deliveries = createDeliveryStore(database, 30);
  const choice = { url: 'https://receiver.example', events: ['*'], format: 'json', description: '', enabled: true };
  stored = projectIds.flatMap((projectId) =>
    Array.from({ length: 5 }, () =>
      newWebhook({ id: newId('whk'), projectId, secret: newSecret() }, choice as NewWebhook, box, NOW_MS),
    ),
  );
  await database.withTransaction(async (tx) => {
    for (const webhook of stored) await webhooks.insert(tx, webhook);
  });
  await deliveryCollection(database.connection).insertMany(stored.slice(0, 4).flatMap(deliveriesOf));
});

afterAll(() => database.close());

/** Deliveries of a webhook, of which one in twenty waits and one in ten has failed. */
function deliveriesOf({ id: webhookId, projectId }: StoredWebhook): DeliveryDocument[] {
  return Array.from({ length: OF_WEBHOOK }, (_, at) => {
    const [isWaiting, hasFailed] = [at % 20 === 0, at % 10 === 1];
    return {
      _id: deliveryIdOf(webhookId, `evt_${at}`),
      ...{ projectId, webhookId, eventId: `evt_${at}`, type: 'dataset.changed', occurredAt: NOW_MS, data: {} },
      ...{ conversationIds: [`chat-${at % 100}`], failureReason: null, createdAt: NOW_MS + at },
      status: isWaiting ? 'pending' : hasFailed ? 'failed' : 'delivered',
      nextTryAt: isWaiting ? NOW_MS + at : null,
      ...{ tried: 1, round: 1, tries: [], expiresAt: new Date(NOW_MS + 86_400_000_000) },
    };
  });
}

const slice = { limit: LIMIT, after: undefined };
const inTransaction = (work: (tx: Transaction) => Promise<unknown>) => database.withTransaction(work);
const one = () => stored[0]!;
const key = () => ({ projectId: one().projectId, webhookId: one().id });

describe('each search for webhooks and their deliveries', () => {
  it.each<[string, () => Promise<unknown>, number]>([
    ['webhooks of a project', () => webhooks.list(one().projectId, slice), 5],
    ['the enabled ones of some projects', () => webhooks.enabledOf(projectIds.slice(0, 2)), 10],
    ['one webhook', () => webhooks.get(key()), 1],
    ['webhooks that are told of deliveries', () => inTransaction((tx) => webhooks.signal(tx, [one().id], NOW_MS)), 1],
    ['deliveries of a webhook', () => deliveries.list(key(), undefined, slice), LIMIT + 1],
    ['those that failed', () => deliveries.list(key(), 'failed', slice), LIMIT + 1],
    ['those that are due', () => deliveries.due(one(), NOW_MS + 1_000, 5), 5],
    ['the next try', () => inTransaction((tx) => deliveries.nextTryAt(tx, one())), 1],
    ['the number that waits', () => deliveries.countWaiting(one(), 5), 5],
    ['all that wait, to end them', () => deliveries.failWaiting(stored[1]!, 'off'), OF_WEBHOOK / 20],
    ['those that quote a conversation', () => deliveries.removeQuoting(one().projectId, 'chat-3'), 8],
    ['all of a webhook', () => deliveries.removeOf({ ...key(), webhookId: stored[2]!.id }), OF_WEBHOOK],
  ])('%s: reads an index, and no more documents than it needs', async (_which, search, most) => {
    const explained = await explainSent(database, search);
    const [first] = explained.filter(({ plan }) => /webhook/.test(plan));
    expect(first?.plan).toMatch(/IXSCAN|IDHACK/);
    expect(first?.plan).not.toMatch(/COLLSCAN|SORT(?!_)/);
    // An aggregation, by which documents are counted, explains its plan alone.
    expect(first?.stats?.totalDocsExamined ?? 0).toBeLessThanOrEqual(most);
  });
});
