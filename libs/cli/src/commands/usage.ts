import type { Api } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { own } from '../options.ts';
import { column, type Column } from '../output/cells.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const GROUPS = ['day', 'model', 'key', 'project'] as const;

const COLUMNS: readonly Column<Api.UsageRow>[] = [
  column('GROUP', ({ group }) => group),
  column('CALLS', ({ calls }) => calls),
  column('FAILED', ({ failedCalls }) => failedCalls),
  column('TOKENS IN', ({ inputTokens }) => inputTokens),
  column('TOKENS OUT', ({ outputTokens }) => outputTokens),
  column('COST', ({ costs }) => ({ words: costs.map(({ amount, currency }) => `${amount} ${currency}`) })),
  column('INGESTED', ({ ingestedBytes }) => ({ bytes: ingestedBytes })),
  column('STORED', ({ storedBytes }) => ({ bytes: storedBytes })),
];

/** Command that shows what was used. */
export const VERBS: readonly Verb[] = [
  {
    ...{ name: 'usage', summary: 'show calls, tokens, cost and bytes of some days' },
    options: [
      own('--by <group>', 'rows', { values: GROUPS, isStrict: true }),
      own('--from <day>', 'first day, 2026-11-01; 30 days ago by default'),
      own('--to <day>', 'last day; today by default'),
      own('--workspace', 'of the whole workspace'),
    ],
    ...{ example: 'usage --by model --from 2026-11-01', run: usage },
  },
];

async function usage(context: Context): Promise<void> {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const by = context.text('by') as (typeof GROUPS)[number] | undefined;
  const query = {
    fromDay: context.text('from') ?? day(context.io.now() - DEFAULT_DAYS * DAY_MS),
    toDay: context.text('to') ?? day(context.io.now()),
    ...(by === undefined ? {} : { by }),
    signal: context.signal,
  };
  const clew = await context.client();
  const used = await (context.flag('workspace') ? clew.usage.ofWorkspace(query) : clew.usage.ofProject(query));
  await context.output.rows(used.usage, COLUMNS, used);
  if (!used.isComplete) await context.output.note('Not all parts of the deployment have answered');
}
