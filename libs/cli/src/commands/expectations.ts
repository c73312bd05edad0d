import type { Api } from '@clew/sdk';
import type { Verb } from '../command.ts';
import { changeEach } from '../each.ts';
import { readJsonObject } from '../json-input.ts';
import { list } from '../list.ts';
import { choice, IDEMPOTENCY_KEY, IF_MATCH, own } from '../options.ts';
import { column, type Column } from '../output/cells.ts';
import { severity, state } from '../output/columns.ts';

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
type Severity = (typeof SEVERITIES)[number];

const COLUMNS: readonly Column<Api.Expectation>[] = [
  column('ID', ({ id }) => id),
  column('STATUS', ({ status }) => state(status)),
  column('SEVERITY', (expectation) => severity(expectation.severity)),
  column('CHECK', ({ check }) => check.form),
  column('SOURCE', ({ source }) => source),
  column('STATEMENT', ({ statement }) => statement),
];

function setting(name: string, summary: string, status: Api.Expectation['status']): Verb {
  return {
    ...{ name, summary, args: '<expectation...>', options: [IF_MATCH], example: `expectations ${name} exp_1` },
    async run(context) {
      const clew = await context.client();
      const query = context.query();
      await changeEach(context, context.args, COLUMNS, (id) => clew.expectations.update(id, { status }, query));
    },
  };
}

/** Verbs of Expectations. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list Expectations', columns: COLUMNS, example: 'expectations list --status proposed' },
    options: [choice('--status <status>', 'only with this status', ['active', 'proposed', 'off'])],
    call: (clew, query) => clew.expectations.list(query),
  }),
  {
    ...{ name: 'show', summary: 'show an Expectation', args: '<expectation>', example: 'expectations show exp_1' },
    async run(context) {
      const clew = await context.client();
      const expectation = await clew.expectations.get(context.arg(0), { signal: context.signal });
      await context.output.record(expectation, COLUMNS, [
        { text: JSON.stringify(expectation.check, null, 2), isVerbatim: true },
      ]);
    },
  },
  {
    ...{ name: 'create', summary: 'say what an agent is expected to do', args: '<statement>' },
    options: [
      own('--check <file>', 'file of JSON with the check: {form, tools, ...}', { isRequired: true }),
      own('--severity <severity>', 'severity of a breach', { values: SEVERITIES, isStrict: true }),
      own('--proposed', 'only propose it'),
      IDEMPOTENCY_KEY,
    ],
    example: 'expectations create "Asks before it cancels" --check check.json',
    async run(context) {
      const check = (await readJsonObject(context, context.text('check') ?? '')) as unknown as Api.Expectation['check'];
      const how = context.text('severity') as Severity | undefined;
      const body = {
        ...{ statement: context.arg(0), check },
        ...(how === undefined ? {} : { severity: how }),
        ...(context.flag('proposed') ? { status: 'proposed' as const } : {}),
      };
      const clew = await context.client();
      const expectation = await clew.expectations.create(body, context.query());
      await context.output.rows([expectation], COLUMNS, expectation);
    },
  },
  {
    ...{ name: 'check', summary: 'try an Expectation on the latest conversations', args: '<expectation>' },
    example: 'expectations check exp_1',
    async run(context) {
      const clew = await context.client();
      const tried = await clew.expectations.check(context.arg(0), { signal: context.signal });
      await context.output.rows(
        tried.examples,
        [
          column('CONVERSATION', ({ conversationId }) => conversationId),
          column('TIMES', ({ violations }) => violations),
          column('REASON', ({ reason }) => reason),
        ],
        tried,
      );
      await context.output.note(`Broken in ${tried.broken} of ${tried.conversations} conversations`);
    },
  },
  setting('activate', 'check every conversation from now on', 'active'),
  setting('off', 'check no more', 'off'),
  {
    ...{ name: 'delete', summary: 'delete an Expectation, and withdraw what it found', args: '<expectation>' },
    ...{ destroys: 'an Expectation and what it found', options: [IF_MATCH], example: 'expectations delete exp_1' },
    async run(context) {
      const clew = await context.client();
      const asked = await clew.expectations.delete(context.arg(0), context.query());
      if (context.output.form === 'json') await context.output.json(asked);
      else await context.output.note(`Deleting ${context.arg(0)}`);
    },
  },
];
