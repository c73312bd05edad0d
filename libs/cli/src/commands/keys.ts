import type { Api } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { list } from '../list.ts';
import { choices, flag, own, pointInTime, spanMs } from '../options.ts';
import { column, type Column } from '../output/cells.ts';

const SCOPES = [
  ...['workspace:read', 'workspace:write', 'workspace:admin', 'models:manage', 'gateway:invoke', 'project:data:write'],
  ...['diagnostics:read', 'diagnostics:write', 'telemetry:write'],
] as const;
type Scope = (typeof SCOPES)[number];

const COLUMNS: readonly Column<Api.ApiKey>[] = [
  column('ID', ({ id }) => id),
  column('NAME', ({ name }) => name),
  column('STARTS WITH', ({ start }) => start),
  column('USED', ({ lastUsedAt }) => ({ at: lastUsedAt })),
  column('EXPIRES', ({ expiresAt }) => ({ at: expiresAt })),
  column('PROJECTS', ({ projectIds }) => (projectIds === 'all' ? 'all' : { words: projectIds })),
  column('SCOPES', ({ scopes }) => ({ words: scopes })),
];

const SECRET_FIELDS: readonly Column<Api.ApiKeySecret>[] = [
  column('ID', ({ apiKey }) => apiKey.id),
  column('NAME', ({ apiKey }) => apiKey.name),
  column('EXPIRES', ({ apiKey }) => ({ at: apiKey.expiresAt })),
  column('SECRET', ({ secret }) => secret),
];

/** Verbs of API keys. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list the keys that open the project', columns: COLUMNS, example: 'keys list' },
    call: (clew, query) => clew.apiKeys.list(query),
  }),
  {
    ...{ name: 'create', summary: 'make a key; its secret is shown once', args: '<name>' },
    options: [
      choices('--scopes <scopes>', 'what it may do', SCOPES),
      own('--expires <time>', 'a date, or a span from now: 90d', { parse: later }),
      own('--all-projects', 'for all projects'),
    ],
    example: 'keys create ci --scopes workspace:read,telemetry:write --expires 90d',
    run: create,
  },
  {
    ...{ name: 'rotate', summary: 'make a successor of a key, which itself lives on for a while', args: '<key>' },
    options: [own('--grace <span>', 'so long: 1h, 7d', { parse: spanMs })],
    example: 'keys rotate key_1 --grace 1h',
    async run(context) {
      const clew = await context.client();
      const graceMs = context.number('grace');
      const { signal } = context;
      const made = await clew.apiKeys.rotate(context.arg(0), graceMs === undefined ? {} : { graceMs }, { signal });
      await showSecret(context, made);
    },
  },
  {
    ...{ name: 'revoke', summary: 'revoke a key at once', args: '<key>', destroys: 'a key' },
    options: [flag('--with-descendants', 'and all keys that it made')],
    example: 'keys revoke key_1',
    async run(context) {
      const clew = await context.client();
      const revoked = await clew.apiKeys.revoke(context.arg(0), context.query());
      if (context.output.form === 'json') await context.output.json(revoked);
      else await context.output.note(`Revoked ${context.arg(0)}`);
    },
  },
];

function later(given: string, nowMs: number): number {
  return /^\d+ ?[a-z]+$/.test(given) ? nowMs + spanMs(given) : pointInTime(given, nowMs);
}

async function create(context: Context): Promise<void> {
  const scopes = (context.text('scopes') ?? 'workspace:read').split(',') as Scope[];
  const expiresAt = context.number('expires');
  const body = {
    ...{ name: context.arg(0), scopes },
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(context.flag('allProjects') ? { projectIds: 'all' as const } : {}),
  };
  const clew = await context.client();
  await showSecret(context, await clew.apiKeys.create(body, { signal: context.signal }));
}

async function showSecret({ output }: Context, made: Api.ApiKeySecret): Promise<void> {
  await output.record(made, SECRET_FIELDS);
  await output.note('The secret is not shown again');
}
