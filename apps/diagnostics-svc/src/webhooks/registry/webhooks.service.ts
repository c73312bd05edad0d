import { fitsFormat, MAX_WEBHOOKS_OF_PROJECT, type Doer, type NewWebhook, type WebhookChange } from '@clew/contracts';
import { AppError, newId, notFound, page, type Clock, type CursorCodec, type PageQuery } from '@clew/kernel';
import { OutboundRefusedError, type Outbound } from '@clew/outbound';
import type { AuditTrail, Database, Deed } from '@clew/persistence';
import type { SecretBox } from '@clew/secrets';
import type { RateWatchStore } from './rate-watches.store.ts';
import { changedWebhook, newSecret, newWebhook, rotatedWebhook, webhookView, type StoredWebhook } from './webhook.ts';
import { WEBHOOKS, type WebhookKey, type WebhookStore } from './webhooks.store.ts';

export interface WebhooksDependencies {
  database: Database;
  webhooks: WebhookStore;
  watches: RateWatchStore;
  /** Whether letters can be sent. */
  hasMail: boolean;
  audit: AuditTrail;
  secrets: SecretBox;
  outbound: Pick<Outbound, 'checkUrl'>;
  cursors: CursorCodec;
  clock: Clock;
  /** Removes the deliveries of a webhook that is gone. */
  removeDeliveries(key: WebhookKey): Promise<void>;
}

/** Webhook with the secret that its maker is shown once. */
export interface RevealedWebhook {
  webhook: StoredWebhook;
  secret: string;
}

export interface ChangeConditions {
  doer: Doer;
  /** Checks the webhook before the change; it may throw. */
  check: (current: StoredWebhook) => void;
}

export type WebhooksService = ReturnType<typeof createWebhooksService>;

export function createWebhooksService(deps: WebhooksDependencies) {
  const { database, webhooks, watches, audit, secrets, cursors, clock } = deps;

  async function get(key: WebhookKey): Promise<StoredWebhook> {
    const found = await webhooks.get(key);
    if (found === undefined) throw webhookNotFound();
    return found;
  }

  /** Changes a webhook in a transaction, of which one of two at a time is run again. */
  async function change(
    key: WebhookKey,
    { doer, check }: ChangeConditions,
    how: { deed: 'changed' | 'secret-rotated'; changed: (before: StoredWebhook) => StoredWebhook },
  ): Promise<StoredWebhook> {
    return await database.withTransaction(async (tx) => {
      const before = await webhooks.get(key, tx);
      if (before === undefined) throw webhookNotFound();
      check(before);
      const after = how.changed(before);
      requireCallable(deps, after);
      await webhooks.save(tx, after);
      await watches.keep(tx, after, { before, nowMs: clock.now() });
      const also = how.deed === 'secret-rotated' ? { secret: 'changed' } : {};
      await audit.record(tx, doer, deedOn(after, how.deed), {
        before: settingsOf(before),
        after: settingsOf(after),
        also,
      });
      // Deliveries that wait for it are tried, or fail, at once.
      await webhooks.signal(tx, [after.id], clock.now());
      return after;
    });
  }

  return {
    get,
    async create(projectId: string, input: NewWebhook, doer: Doer): Promise<RevealedWebhook> {
      requireCallable(deps, input);
      const secret = newSecret();
      const webhook = newWebhook({ id: newId('whk'), projectId, secret }, input, secrets, clock.now());
      await database.withTransaction(async (tx) => {
        if ((await webhooks.count(tx, projectId, 1)) > MAX_WEBHOOKS_OF_PROJECT) {
          throw new AppError('TOO_MANY_WEBHOOKS', `A project has at most ${MAX_WEBHOOKS_OF_PROJECT} webhooks`);
        }
        await webhooks.insert(tx, webhook);
        await watches.keep(tx, webhook, { before: undefined, nowMs: clock.now() });
        await audit.record(tx, doer, deedOn(webhook, 'created'), { before: null, after: settingsOf(webhook) });
      });
      return { webhook, secret };
    },
    async list(projectId: string, query: PageQuery) {
      const { items, nextCursor } = await page(cursors, WEBHOOKS, { projectId, ...query }, (slice) =>
        webhooks.list(projectId, slice),
      );
      return { webhooks: items.map((webhook) => webhookView(webhook, clock.now())), nextCursor };
    },
    async update(key: WebhookKey, input: WebhookChange, conditions: ChangeConditions): Promise<StoredWebhook> {
      return await change(key, conditions, {
        deed: 'changed',
        changed: (before) => changedWebhook(before, input, clock.now()),
      });
    },
    async rotate(key: WebhookKey, graceMs: number, conditions: ChangeConditions): Promise<RevealedWebhook> {
      const secret = newSecret();
      const webhook = await change(key, conditions, {
        deed: 'secret-rotated',
        changed: (before) => rotatedWebhook(before, { secret, graceMs }, secrets, clock.now()),
      });
      return { webhook, secret };
    },
    async remove(key: WebhookKey, { doer, check }: ChangeConditions): Promise<void> {
      await database.withTransaction(async (tx) => {
        const before = await webhooks.get(key, tx);
        if (before === undefined) throw webhookNotFound();
        check(before);
        await webhooks.remove(tx, key);
        await watches.remove(tx, key);
        await webhooks.count(tx, key.projectId, -1);
        await audit.record(tx, doer, deedOn(before, 'deleted'), { before: settingsOf(before), after: null });
      });
      await deps.removeDeliveries(key);
    },
  };
}

function deedOn({ projectId, id }: StoredWebhook, deed: 'created' | 'changed' | 'deleted' | 'secret-rotated'): Deed {
  return { projectId, action: `webhook.${deed}`, target: { kind: 'webhook', id } };
}

/** Settings of a webhook that people choose, without its secrets. */
function settingsOf({ url, events, severities, failureRateAbove, format, description, enabled }: StoredWebhook) {
  return { url, events, severities, failureRateAbove, format, description, enabled };
}

export function webhookNotFound(): AppError {
  return notFound('WEBHOOK_NOT_FOUND', 'The webhook does not exist');
}

/** Throws OUTBOUND_REFUSED if nothing could be sent to the address in that format. */
function requireCallable(
  { outbound, hasMail }: Pick<WebhooksDependencies, 'outbound' | 'hasMail'>,
  receiver: Pick<StoredWebhook, 'url' | 'format'>,
): void {
  const refused = (message: string, cause?: Error) =>
    new AppError('OUTBOUND_REFUSED', message, { details: [{ path: 'body.url', message }], cause });
  if (!fitsFormat(receiver)) throw refused('Letters go to mailto: and a mail address, and everything else to a URL');
  if (receiver.format === 'email') {
    if (!hasMail) throw refused('This deployment has no mail server');
    return;
  }
  try {
    outbound.checkUrl(receiver.url);
  } catch (error) {
    if (!(error instanceof OutboundRefusedError)) throw error;
    throw refused(error.message, error);
  }
}
