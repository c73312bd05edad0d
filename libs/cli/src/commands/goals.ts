import type { Api } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { changeEach } from '../each.ts';
import { usageError } from '../exit.ts';
import { list } from '../list.ts';
import { choice, IDEMPOTENCY_KEY, IF_MATCH, own, pointInTime, wholeNumber } from '../options.ts';
import { column, type Column } from '../output/cells.ts';
import { state } from '../output/columns.ts';
import { WAITING } from '../waiting.ts';
import { askedBackfill, BACKFILL_COLUMNS } from './backfills.ts';

const COLUMNS: readonly Column<Api.LearningGoal>[] = [
  column('ID', ({ id }) => id),
  column('NAME', ({ name }) => name),
  column('STATUS', ({ status }) => state(status)),
  column('ITEMS', ({ counts }) => counts.activeItems),
  column('MODEL', ({ model }) => model),
  column('BLOCKED', ({ blockedReason }) => blockedReason),
  column('CHANGED', ({ updatedAt }) => ({ at: updatedAt })),
];

type Status = Api.LearningGoal['status'];

function setting(name: string, summary: string, status: Status): Verb {
  return {
    ...{ name, summary, args: '<goal...>', options: [IF_MATCH], example: `goals ${name} goal_1` },
    async run(context) {
      const clew = await context.client();
      const query = context.query();
      await changeEach(context, context.args, COLUMNS, (id) => clew.knowledge.goals.update(id, { status }, query));
    },
  };
}

/** Verbs of Learning Goals. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list Learning Goals', columns: COLUMNS, example: 'goals list --status active' },
    options: [choice('--status <status>', 'only with this status', ['active', 'paused', 'archived'])],
    call: (clew, query) => clew.knowledge.goals.list(query),
  }),
  {
    ...{ name: 'show', summary: 'show a Learning Goal', args: '<goal>', example: 'goals show goal_1' },
    async run(context) {
      const clew = await context.client();
      const goal = await clew.knowledge.goals.get(context.arg(0), { signal: context.signal });
      await context.output.record(goal, COLUMNS, [{ text: goal.instruction }]);
    },
  },
  {
    ...{ name: 'create', summary: 'say what is to be learned from conversations', args: '<name> <instruction>' },
    options: [own('--model <model>', 'model that reads them'), IDEMPOTENCY_KEY],
    example: 'goals create Refunds "How refunds are decided, and who approves them"',
    async run(context) {
      const model = context.text('model');
      const body = {
        ...{ name: context.arg(0), instruction: context.arg(1) },
        ...(model === undefined ? {} : { model }),
      };
      const clew = await context.client();
      const goal = await clew.knowledge.goals.create(body, context.query());
      await context.output.rows([goal], COLUMNS, goal);
    },
  },
  {
    ...{ name: 'update', summary: 'change a Learning Goal', args: '<goal>' },
    options: [
      own('--name <name>', 'another name'),
      own('--instruction <text>', 'another instruction'),
      own('--model <model>', 'another model'),
      IF_MATCH,
    ],
    example: 'goals update goal_1 --instruction "Only rules that are written down"',
    run: update,
  },
  setting('pause', 'learn nothing more for now', 'paused'),
  setting('resume', 'learn again', 'active'),
  setting('archive', 'end Learning Goals', 'archived'),
  {
    ...{ name: 'backfill', summary: 'learn from conversations that are there already', args: '<goal>' },
    options: [
      own('--since <time>', 'started after this: 2026-11-01, 30d', { parse: pointInTime, isRequired: true }),
      own('--until <time>', 'started before this', { parse: pointInTime }),
      own('--max <count>', 'no more conversations than this', { parse: wholeNumber }),
      ...WAITING,
      IDEMPOTENCY_KEY,
    ],
    example: 'goals backfill goal_1 --since 30d',
    run: backfill,
  },
];

async function update(context: Context): Promise<void> {
  const names = ['name', 'instruction', 'model'] as const;
  const entries = names.flatMap((name) => {
    const value = context.text(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (entries.length === 0) throw usageError('Say what to change');
  const clew = await context.client();
  const goal = await clew.knowledge.goals.update(context.arg(0), Object.fromEntries(entries), context.query());
  await context.output.rows([goal], COLUMNS, goal);
}

async function backfill(context: Context): Promise<void> {
  const goalId = context.arg(0);
  const maxConversations = context.number('max');
  const body = {
    ...{ startMs: context.number('since') ?? 0, endMs: context.number('until') ?? context.io.now() },
    ...(maxConversations === undefined ? {} : { maxConversations }),
  };
  const clew = await context.client();
  const asked = await clew.knowledge.backfills.create(goalId, body, context.query());
  if (context.flag('wait')) {
    const done = await askedBackfill(context, (options) =>
      clew.knowledge.backfills.wait(goalId, asked.backfillId, options),
    );
    return await context.output.rows([done], BACKFILL_COLUMNS, done);
  }
  await context.output.record(asked, [
    column('BACKFILL', ({ backfillId }) => backfillId),
    column('CONVERSATIONS', ({ maxConversations: most }) => most),
  ]);
}
