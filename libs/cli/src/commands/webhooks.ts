import type { Api } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { usageError } from '../exit.ts';
import { list } from '../list.ts';
import { choice, either, own, spanMs } from '../options.ts';
import { column, type Column } from '../output/cells.ts';
import { state } from '../output/columns.ts';

const FORMATS = ['standard', 'slack', 'json', 'email'] as const;

const COLUMNS: readonly Column<Api.Webhook>[] = [
  column('ID', ({ id }) => id),
  column('ON', ({ enabled }) => enabled),
  column('FORMAT', ({ format }) => format),
  column('EVENTS', ({ events }) => ({ words: events })),
  column('FAILING', ({ failingSince }) => ({ at: failingSince })),
  column('ADDRESS', ({ url }) => url),
];

const SECRET_FIELDS: readonly Column<Api.WebhookWithSecret>[] = [
  ...(COLUMNS as readonly Column<Api.WebhookWithSecret>[]),
  column('SECRET', ({ secret }) => secret),
];

const DELIVERY_COLUMNS: readonly Column<Api.WebhookDelivery>[] = [
  column('ID', ({ id }) => id),
  column('EVENT', ({ type }) => type),
  column('STATUS', ({ status }) => state(status)),
  column('TRIES', ({ tries }) => tries.length),
  column('AT', ({ createdAt }) => ({ at: createdAt })),
  column('PROBLEM', ({ failureReason }) => failureReason),
];

const SETTINGS = [
  own('--events <events>', 'events with commas, such as finding.*,dataset.changed; all by default'),
  own('--severities <severities>', 'only Findings of these, with commas, such as critical,high; all by default'),
  own('--failure-rate-above <share>', 'bound of failure_rate.exceeded, 0 to 1', { parse: shareOf }),
  own('--format <format>', 'form of what is sent', { values: FORMATS, isStrict: true }),
  own('--description <text>', 'what it is for'),
];

/** Verbs of webhooks. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list the webhooks', columns: COLUMNS, example: 'webhooks list' },
    call: (clew, query) => clew.webhooks.list(query),
  }),
  {
    ...{ name: 'show', summary: 'show a webhook', args: '<webhook>', example: 'webhooks show whk_1' },
    async run(context) {
      const clew = await context.client();
      await context.output.record(await clew.webhooks.get(context.arg(0), { signal: context.signal }), COLUMNS);
    },
  },
  {
    ...{
      name: 'create',
      summary: 'send events to a URL or a mail address; the secret is shown once',
      args: '<address>',
    },
    ...{ options: SETTINGS, example: 'webhooks create https://hooks.example.com/clew --events finding.*' },
    async run(context) {
      const receiver = receiverOf(context.arg(0));
      const body = { events: ['*'], ...receiver, ...changeIn(context) } as Api.CreateWebhookData['body'];
      const clew = await context.client();
      await showSecret(context, await clew.webhooks.create(body, { signal: context.signal }));
    },
  },
  {
    ...{ name: 'update', summary: 'change a webhook', args: '<webhook>' },
    options: [
      own('--address <address>', 'another address'),
      ...SETTINGS,
      ...either('enabled', 'switch it on', 'switch it off').map(({ sets: _, ...option }) => option),
    ],
    example: 'webhooks update whk_1 --enabled',
    async run(context) {
      const [url, enabled] = [context.text('address'), context.options['enabled'] as boolean | undefined];
      const body = {
        ...changeIn(context),
        ...(url === undefined ? {} : { url }),
        ...(enabled === undefined ? {} : { enabled }),
      };
      if (Object.keys(body).length === 0) throw usageError('Say what to change');
      const clew = await context.client();
      const { signal } = context;
      const webhook = await clew.webhooks.update(context.arg(0), body as Api.UpdateWebhookData['body'], { signal });
      await context.output.rows([webhook], COLUMNS, webhook);
    },
  },
  {
    ...{ name: 'rotate', summary: 'make another secret; the old one counts for a while', args: '<webhook>' },
    options: [own('--grace <span>', 'so long: 1h, 1d', { parse: spanMs })],
    example: 'webhooks rotate whk_1 --grace 1h',
    async run(context) {
      const graceMs = context.number('grace');
      const clew = await context.client();
      const { signal } = context;
      const body = graceMs === undefined ? {} : { graceMs };
      await showSecret(context, await clew.webhooks.rotateSecret(context.arg(0), body, { signal }));
    },
  },
  {
    ...{ name: 'test', summary: 'send a test event', args: '<webhook>', example: 'webhooks test whk_1' },
    async run(context) {
      const clew = await context.client();
      const test = await clew.webhooks.test(context.arg(0), { signal: context.signal });
      await context.output.record(test, [
        column('OK', ({ ok }) => ok),
        column('STATUS', ({ statusCode }) => statusCode),
        column('TOOK MS', ({ durationMs }) => durationMs),
        column('PROBLEM', ({ error }) => error),
      ]);
      return test.ok ? 0 : 1;
    },
  },
  {
    ...{ name: 'delete', summary: 'delete a webhook', args: '<webhook>', destroys: 'a webhook' },
    example: 'webhooks delete whk_1',
    async run(context) {
      const clew = await context.client();
      await clew.webhooks.delete(context.arg(0), { signal: context.signal });
      await context.output.note(`Deleted ${context.arg(0)}`);
    },
  },
  list({
    ...{ name: 'deliveries', summary: 'list what was sent, newest first', args: '<webhook>' },
    options: [choice('--status <status>', 'only with this status', ['pending', 'delivered', 'failed'])],
    ...{ columns: DELIVERY_COLUMNS, example: 'webhooks deliveries whk_1 --status failed' },
    call: (clew, query, { args: [id = ''] }) => clew.webhooks.deliveries.list(id, query),
  }),
  {
    ...{ name: 'redeliver', summary: 'send something again', args: '<webhook> <delivery>' },
    example: 'webhooks redeliver whk_1 del_1',
    async run(context) {
      const clew = await context.client();
      const { signal } = context;
      const delivery = await clew.webhooks.deliveries.redeliver(context.arg(0), context.arg(1), { signal });
      await context.output.rows([delivery], DELIVERY_COLUMNS, delivery);
    },
  },
];

function changeIn(context: Context) {
  const [events, format, description] = [context.text('events'), context.text('format'), context.text('description')];
  const [severities, failureRateAbove] = [context.text('severities'), context.number('failureRateAbove')];
  return {
    ...(events === undefined ? {} : { events: events.split(',') }),
    ...(severities === undefined ? {} : { severities: severities.split(',').filter(Boolean) }),
    ...(failureRateAbove === undefined ? {} : { failureRateAbove }),
    ...(format === undefined ? {} : { format }),
    ...(description === undefined ? {} : { description }),
  };
}

/** Address of a webhook: a mail address is for letters. */
function receiverOf(address: string): { url: string; format?: 'email' } {
  if (/^[^\s@/:]+@[^\s@/:]+$/.test(address)) return { url: `mailto:${address}`, format: 'email' };
  return address.startsWith('mailto:') ? { url: address, format: 'email' } : { url: address };
}

function shareOf(given: string): number {
  const share = Number(given);
  if (given.trim() === '' || !(share >= 0 && share <= 1)) throw new Error('must be a number from 0 to 1');
  return share;
}

async function showSecret({ output }: Context, webhook: Api.WebhookWithSecret): Promise<void> {
  await output.record(webhook, SECRET_FIELDS);
  await output.note('The secret is not shown again');
}
