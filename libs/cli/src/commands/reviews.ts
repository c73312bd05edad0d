import type { Api } from '@clew/sdk';
import type { Verb } from '../command.ts';
import { list } from '../list.ts';
import { text, when } from '../options.ts';
import { column, type Column } from '../output/cells.ts';
import { state } from '../output/columns.ts';

const COLUMNS: readonly Column<Api.Review>[] = [
  column('CONVERSATION', ({ conversationId }) => conversationId),
  column('VERDICT', ({ verdict }) => state(verdict)),
  column('FAILED', ({ failureProbability }) => failureProbability),
  column('PROBLEMS', ({ problemCount }) => problemCount),
  column('CHOSEN BY', ({ chosenBy }) => chosenBy),
  column('MODEL', ({ model }) => model),
  column('TOKENS', ({ tokens }) => tokens),
  column('READ', ({ reviewedAt }) => ({ at: reviewedAt })),
  column('WANTED', ({ wanted }) => wanted),
];

const DAYS: readonly Column<Api.ReviewDay>[] = [
  column('DAY', ({ day }) => day),
  column('READY', ({ ready }) => ready),
  column('REVIEWED', ({ reviewed }) => reviewed),
  column('CALLS', ({ calls }) => calls),
  column('TOKENS', ({ tokens }) => tokens),
];

const RATE: readonly Column<Api.FailureRate>[] = [
  column('RATE', ({ rate }) => rate),
  column('LOW', ({ low }) => low),
  column('HIGH', ({ high }) => high),
  column('REVIEWED', ({ reviewed }) => reviewed),
  column('OF', ({ of }) => of),
  column('MODEL', ({ model }) => model),
];

const WEEK_MS = 7 * 86_400_000;

/** Verbs of reviews. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list what a model read and how it judges, newest first', columns: COLUMNS },
    example: 'reviews list',
    call: (clew, query) => clew.diagnostics.reviews(query),
  }),
  list({
    ...{ name: 'days', summary: 'list how much was read, by day', columns: DAYS, example: 'reviews days' },
    call: (clew, query) => clew.diagnostics.reviewDays(query),
  }),
  {
    ...{ name: 'rate', summary: 'show the share of conversations that failed, with its 95% interval' },
    options: [
      when('--since <time>', 'from a time on; the last 7 days by default', 'startMs'),
      when('--until <time>', 'up to a time', 'endMs'),
      text('--agent <name>', 'only where this agent speaks'),
    ],
    example: 'reviews rate --since 30d',
    async run(context) {
      const nowMs = context.io.now();
      const clew = await context.client();
      const query = { startMs: nowMs - WEEK_MS, endMs: nowMs, ...context.query() };
      await context.output.record(await clew.diagnostics.failureRate(query), RATE);
    },
  },
];
