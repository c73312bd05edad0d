import type { Api } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { usageError } from '../exit.ts';
import { list } from '../list.ts';
import { either, IDEMPOTENCY_KEY, IF_MATCH, own } from '../options.ts';
import { column, type Column } from '../output/cells.ts';
import { secretFrom } from '../secret-input.ts';
import { destinationOf, placeOf } from '../trackers.ts';

const COLUMNS: readonly Column<Api.Connector>[] = [
  column('ID', ({ id }) => id),
  column('TRACKER', ({ provider }) => provider),
  column('NAME', ({ name }) => name),
  column('ON', ({ enabled }) => enabled),
  column('DEFAULT', ({ isDefault }) => isDefault),
  column('DESTINATION', ({ defaultDestination }) => (defaultDestination === null ? null : placeOf(defaultDestination))),
  column('ADDRESS', ({ baseUrl }) => baseUrl),
];

const SETTINGS = [
  own('--name <name>', 'its name'),
  own('--base-url <address>', 'address of a server of your own; of Jira always'),
  own('--email <address>', 'account of the token, for Jira'),
  own('--destination <place>', 'default: owner/repo, a project id, PROJECT or PROJECT/type, or a team id'),
  ...either('default', 'the one that is taken when none is named', 'not that one').map(
    ({ sets: _, ...option }) => option,
  ),
];

/** Verbs of connectors. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list the connectors', columns: COLUMNS, example: 'connectors list' },
    call: (clew, query) => clew.connectors.list(query),
  }),
  {
    ...{ name: 'show', summary: 'show a connector', args: '<connector>', example: 'connectors show con_1' },
    async run(context) {
      const clew = await context.client();
      const connector = await clew.connectors.get(context.arg(0), { signal: context.signal });
      await context.output.record(connector, [...COLUMNS, column('WEBHOOK', ({ webhookPath }) => webhookPath)]);
    },
  },
  {
    ...{ name: 'create', summary: 'connect an issue tracker; its token is piped in or typed', args: '<tracker>' },
    options: [...SETTINGS, IDEMPOTENCY_KEY],
    example: 'connectors create github --destination acme/shop --default',
    async run(context) {
      const provider = context.arg(0);
      if (!['github', 'gitlab', 'jira', 'linear'].includes(provider))
        throw usageError(`There is no tracker ${provider}`);
      const credentials = await credentialsFrom(context);
      const body = { provider, credentials, ...changeIn(context, provider) } as Api.CreateConnectorData['body'];
      const clew = await context.client();
      const connector = await clew.connectors.create(body, context.query());
      await context.output.rows([connector], COLUMNS, connector);
    },
  },
  {
    ...{ name: 'update', summary: 'change a connector, or its token', args: '<connector>' },
    options: [
      ...SETTINGS,
      ...either('enabled', 'switch it on', 'switch it off').map(({ sets: _, ...option }) => option),
      own('--with-token', 'with another token, piped in or typed'),
      IF_MATCH,
    ],
    example: 'connectors update con_1 --no-enabled',
    run: update,
  },
  {
    ...{ name: 'test', summary: 'ask the tracker whether token and destination are right', args: '<connector>' },
    example: 'connectors test con_1',
    async run(context) {
      const clew = await context.client();
      const test = await clew.connectors.test(context.arg(0), { signal: context.signal });
      await context.output.record(test, [
        column('OK', ({ ok }) => ok),
        column('ACCOUNT', ({ account }) => account),
        column('DESTINATION', ({ destination }) => destination?.name),
        column('REASON', ({ reason }) => reason),
        column('PROBLEM', ({ error }) => error),
      ]);
      return test.ok ? 0 : 1;
    },
  },
  {
    ...{ name: 'delete', summary: 'remove a connector with its token', args: '<connector>', options: [IF_MATCH] },
    ...{ destroys: 'a connector with its token', example: 'connectors delete con_1' },
    async run(context) {
      const clew = await context.client();
      await clew.connectors.delete(context.arg(0), context.query());
      await context.output.note(`Removed ${context.arg(0)}`);
    },
  },
];

async function credentialsFrom(context: Context): Promise<{ token: string; email?: string }> {
  const email = context.text('email');
  const token = await secretFrom(context, 'Token');
  return email === undefined ? { token } : { email, token };
}

function changeIn(context: Context, provider: string) {
  const [name, baseUrl, place] = [context.text('name'), context.text('baseUrl'), context.text('destination')];
  const isDefault = context.options['default'] as boolean | undefined;
  const defaultDestination = place === undefined ? undefined : destinationOf(provider, place);
  if (place !== undefined && defaultDestination === undefined) throw usageError(`${place} is no place of ${provider}`);
  return {
    ...(name === undefined ? {} : { name }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(isDefault === undefined ? {} : { isDefault }),
    ...(defaultDestination === undefined ? {} : { defaultDestination }),
  };
}

async function update(context: Context): Promise<void> {
  const id = context.arg(0);
  const clew = await context.client();
  const { signal } = context;
  const enabled = context.options['enabled'] as boolean | undefined;
  const provider =
    context.text('destination') === undefined ? '' : (await clew.connectors.get(id, { signal })).provider;
  const body = {
    ...changeIn(context, provider),
    ...(enabled === undefined ? {} : { enabled }),
    ...(context.flag('withToken') ? { credentials: await credentialsFrom(context) } : {}),
  };
  if (Object.keys(body).length === 0) throw usageError('Say what to change');
  const connector = await clew.connectors.update(id, body as Api.UpdateConnectorData['body'], context.query());
  await context.output.rows([connector], COLUMNS, connector);
}
