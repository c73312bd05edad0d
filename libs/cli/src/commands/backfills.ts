import type { Api, WaitOptions } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { CliError } from '../exit.ts';
import { list } from '../list.ts';
import { choice } from '../options.ts';
import { column, type Column } from '../output/cells.ts';
import { state } from '../output/columns.ts';
import { waitFor, WAITING } from '../waiting.ts';

export const BACKFILL_COLUMNS: readonly Column<Api.KnowledgeBackfill>[] = [
  column('ID', ({ backfillId }) => backfillId),
  column('GOAL', ({ goalId }) => goalId),
  column('STATE', (backfill) => state(backfill.state)),
  column('SEEN', ({ conversationsSeen }) => conversationsSeen),
  column('PENDING', ({ conversationsPending }) => conversationsPending),
  column('ITEMS', ({ itemsCreated }) => itemsCreated),
  column('STARTED', ({ createdAt }) => ({ at: createdAt })),
  column('PROBLEM', ({ failureReason }) => failureReason),
];

/** Waits for a backfill; one that failed ends the command with 1. */
export async function askedBackfill(
  context: Context,
  wait: (options: WaitOptions<Api.KnowledgeBackfill>) => Promise<Api.KnowledgeBackfill>,
): Promise<Api.KnowledgeBackfill> {
  const done = await waitFor(context, wait, {
    stateOf: (backfill: Api.KnowledgeBackfill) =>
      `${backfill.state}, ${backfill.conversationsSeen} conversations seen, ${backfill.itemsCreated} items`,
  });
  if (done.state === 'failed') throw new CliError(`The backfill failed: ${done.failureReason ?? 'no reason is known'}`);
  return done;
}

/** Verbs of backfills of Knowledge. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list backfills of Learning Goals, newest first', columns: BACKFILL_COLUMNS },
    options: [
      choice('--state <state>', 'only in this state', ['scheduled', 'running', 'completed', 'failed', 'cancelled']),
    ],
    example: 'backfills list --state running',
    call: (clew, query) => clew.knowledge.backfills.list(query),
  }),
  {
    ...{ name: 'show', summary: 'show how far a backfill is', args: '<goal> <backfill>', options: WAITING },
    example: 'backfills show goal_1 bf_1',
    async run(context) {
      const [goalId, id] = [context.arg(0), context.arg(1)];
      const clew = await context.client();
      const backfill = context.flag('wait')
        ? await askedBackfill(context, (options) => clew.knowledge.backfills.wait(goalId, id, options))
        : await clew.knowledge.backfills.get(goalId, id, { signal: context.signal });
      await context.output.record(backfill, BACKFILL_COLUMNS);
    },
  },
  {
    ...{ name: 'cancel', summary: 'end a backfill; what it has learned stays', args: '<goal> <backfill>' },
    example: 'backfills cancel goal_1 bf_1',
    async run(context) {
      const clew = await context.client();
      const { signal } = context;
      const backfill = await clew.knowledge.backfills.cancel(context.arg(0), context.arg(1), { signal });
      await context.output.rows([backfill], BACKFILL_COLUMNS, backfill);
    },
  },
];
