import type { Api } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { usageError } from '../exit.ts';
import { readJsonObject } from '../json-input.ts';
import { list } from '../list.ts';
import { either, IDEMPOTENCY_KEY, own, pointInTime, text, wholeNumber } from '../options.ts';
import { column, type Column } from '../output/cells.ts';
import { state } from '../output/columns.ts';
import { waitFor, WAITING } from '../waiting.ts';

const COLUMNS: readonly Column<Api.Rule>[] = [
  column('ID', ({ ruleId }) => ruleId),
  column('KEY', ({ ruleKey }) => ruleKey),
  column('ON', ({ enabled }) => enabled),
  column('CATEGORY', ({ categoryKey }) => categoryKey),
  column('MIN SCORE', ({ configuration }) => configuration.minSignalScore),
  column('NAME', ({ name }) => name),
];

const BACKFILL_COLUMNS: readonly Column<Api.RuleBackfill>[] = [
  column('ID', ({ backfillId }) => backfillId),
  column('RULE', ({ ruleId }) => ruleId),
  column('STATE', (backfill) => state(backfill.state)),
  column('SEEN', ({ conversationsSeen }) => conversationsSeen),
  column('RUNS', ({ runsQueued }) => runsQueued),
  column('STARTED', ({ createdAt }) => ({ at: createdAt })),
];

function signalsOf({ signals }: Api.Rule): string {
  return signals
    .map(({ name, defaultSeverity, description }) => `- ${name} (${defaultSeverity}): ${description}`)
    .join('\n');
}

/** Verbs of Rules. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list the built-in Rules', columns: COLUMNS, example: 'rules list' },
    call: (clew, query) => clew.rules.list(query),
  }),
  {
    ...{ name: 'show', summary: 'show a Rule with its signals', args: '<rule>', example: 'rules show rule_1' },
    async run(context) {
      const clew = await context.client();
      const rule = await clew.rules.get(context.arg(0), { signal: context.signal });
      await context.output.record(rule, COLUMNS, [
        { text: rule.description },
        { title: 'Signals', text: signalsOf(rule) },
        { title: 'Configuration', text: JSON.stringify(rule.configuration, null, 2), isVerbatim: true },
      ]);
    },
  },
  {
    ...{ name: 'set', summary: 'switch a Rule on or off, or change how it looks', args: '<rule>' },
    options: [
      ...either('enabled', 'switch it on', 'switch it off').map(({ sets: _, ...option }) => option),
      own('--min-score <score>', 'least score of a signal, between 0 and 1', { parse: share }),
      own('--min-confidence <share>', 'least confidence, between 0 and 1', { parse: share }),
      own('--configuration <file>', 'file of JSON with what changes in the configuration'),
    ],
    example: 'rules set rule_1 --enabled --min-score 0.6',
    run: set,
  },
  {
    ...{ name: 'backfill', summary: 'run a Rule on conversations that are there already', args: '<rule>' },
    options: [
      own('--since <time>', 'started after this: 2026-11-01, 30d', { parse: pointInTime, isRequired: true }),
      own('--until <time>', 'started before this', { parse: pointInTime }),
      own('--max <count>', 'no more conversations than this', { parse: wholeNumber }),
      ...WAITING,
      IDEMPOTENCY_KEY,
    ],
    example: 'rules backfill rule_1 --since 7d',
    run: backfill,
  },
  list({
    ...{ name: 'backfills', summary: 'list backfills of Rules, newest first', columns: BACKFILL_COLUMNS },
    options: [
      text('--state <states>', 'only in these states'),
      text('--rule <rule>', 'only of this Rule', { sets: 'ruleId' }),
    ],
    example: 'rules backfills --state running',
    call: (clew, query) => clew.rules.backfills.list(query),
  }),
  {
    ...{ name: 'cancel', summary: 'end a backfill; what is queued already goes on', args: '<backfill>' },
    example: 'rules cancel bf_1',
    async run(context) {
      const clew = await context.client();
      const cancelled = await clew.rules.backfills.cancel(context.arg(0), { signal: context.signal });
      await context.output.rows([cancelled], BACKFILL_COLUMNS, cancelled);
    },
  },
];

function share(given: string): number {
  if (!/^(?:0|1|0?\.\d{1,9}|1\.0{1,9})$/.test(given)) throw new Error('must be between 0 and 1');
  return Number(given);
}

async function set(context: Context): Promise<void> {
  const enabled = context.options['enabled'] as boolean | undefined;
  const [minSignalScore, minDiagnosticConfidence] = [context.number('minScore'), context.number('minConfidence')];
  const file = context.text('configuration');
  const configuration = {
    ...(file === undefined ? {} : await readJsonObject(context, file)),
    ...(minSignalScore === undefined ? {} : { minSignalScore }),
    ...(minDiagnosticConfidence === undefined ? {} : { minDiagnosticConfidence }),
  };
  const body = {
    ...(enabled === undefined ? {} : { enabled }),
    ...(Object.keys(configuration).length === 0 ? {} : { configuration }),
  };
  if (Object.keys(body).length === 0) throw usageError('Say what to change');
  const clew = await context.client();
  const rule = await clew.rules.update(context.arg(0), body, { signal: context.signal });
  await context.output.rows([rule], COLUMNS, rule);
}

async function backfill(context: Context): Promise<void> {
  const ruleId = context.arg(0);
  const maxConversations = context.number('max');
  const body = {
    ...{ startMs: context.number('since') ?? 0, endMs: context.number('until') ?? context.io.now() },
    ...(maxConversations === undefined ? {} : { maxConversations }),
  };
  const clew = await context.client();
  const asked = await clew.rules.backfills.create(ruleId, body, context.query());
  if (!context.flag('wait')) {
    await context.output.record(asked, [
      column('BACKFILL', ({ backfillId }) => backfillId),
      column('RUNS', ({ runsQueued }) => runsQueued),
    ]);
    return;
  }
  const done = await waitFor(context, (options) => clew.rules.backfills.wait(ruleId, asked.backfillId, options), {
    stateOf: (now: Api.RuleBackfill) => `${now.state}, ${now.conversationsSeen} conversations seen`,
  });
  await context.output.rows([done], BACKFILL_COLUMNS, done);
  if (done.state === 'failed') throw new Error('The backfill failed');
}
