import type { Api, Clew } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { changeEach } from '../each.ts';
import { usageError } from '../exit.ts';
import { watch } from '../watch.ts';
import { list } from '../list.ts';
import {
  choice,
  choices,
  either,
  IDEMPOTENCY_KEY,
  IF_MATCH,
  own,
  spanMs,
  text,
  when,
  wholeNumber,
} from '../options.ts';
import { column, type Column } from '../output/cells.ts';
import { FINDING_COLUMNS, severity, state } from '../output/columns.ts';
import type { Passage } from '../output/output.ts';

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
const REVIEWS = ['unreviewed', 'confirmed', 'dismissed'];
const RESOLUTIONS = ['unresolved', 'awaiting_verification', 'resolved', 'regressed'];

const FILTERS = [
  choices('--severity <severities>', 'only these severities', SEVERITIES),
  choices('--review-status <statuses>', 'only these review statuses', REVIEWS),
  choices('--resolution-status <statuses>', 'only these resolution statuses', RESOLUTIONS),
  text('--rule <rule>', 'only of this Rule', { sets: 'ruleId' }),
  text('--category <category>', 'only of this category', { sets: 'categoryKey' }),
  text('--assignee <person>', 'only of this person: an id, me or none'),
  text('--conversation <conversation>', 'only of this conversation', { sets: 'conversationId' }),
  text('--agent <name>', 'only of this agent'),
  text('--search <words>', 'only with these words in the title', { sets: 'q' }),
  text('--min-diagnostic-score <score>', 'only with at least this score, between 0 and 1'),
  when('--since <time>', 'only last seen after a time', 'lastDetectedAfter'),
  when('--until <time>', 'only last seen before a time', 'lastDetectedBefore'),
  choice('--work-item <state>', 'only with such a work item', ['none', 'active', 'done']),
  ...either('snoozed', 'only snoozed ones', 'only those that are not snoozed'),
];

const FIELDS: readonly Column<Api.Finding>[] = [
  ...FINDING_COLUMNS,
  column('RULE', ({ metadata }) => metadata.diagnosticRule.ruleKey),
  column('CATEGORY', ({ metadata }) => metadata.categoryKey),
  column('CONFIDENCE', ({ diagnosticConfidence }) => diagnosticConfidence),
  column('CONVERSATION', ({ conversationId }) => conversationId),
  column('ASSIGNEE', ({ assignee }) => assignee),
  column('WORK ITEM', ({ workItem }) => ({
    text: workItem?.externalKey ?? workItem?.id ?? '-',
    url: workItem?.externalUrl,
  })),
  column('FIRST SEEN', ({ firstDetectedAt }) => ({ at: firstDetectedAt })),
];

const OCCURRENCES: readonly Column<Api.FindingOccurrence>[] = [
  column('CONVERSATION', ({ conversationId }) => conversationId),
  column('SEVERITY', (occurrence) => severity(occurrence.severity)),
  column('SCORE', ({ diagnosticScore }) => diagnosticScore),
  column('SEEN', ({ lastDetectedAt }) => ({ at: lastDetectedAt })),
  column('SUMMARY', ({ summary }) => summary),
];

const ACTIVITY: readonly Column<Api.FindingActivity>[] = [
  column('ID', ({ id }) => id),
  column('AT', ({ createdAt }) => ({ at: createdAt })),
  column('BY', ({ actor }) => actor.id),
  column('KIND', ({ kind }) => kind),
  column('FROM', ({ from }) => from),
  column('TO', ({ to }) => to),
  column('TEXT', ({ text: words }) => words),
];

/** Makes a verb that sets a status of Findings. */
function setting(name: string, summary: string, change: Api.FindingStatusChange): Verb {
  return {
    ...{ name, summary, args: '<finding...>', options: [IF_MATCH], example: `findings ${name} fnd_1 fnd_2` },
    async run(context) {
      const clew = await context.client();
      const query = context.query();
      await changeEach(context, context.args, FINDING_COLUMNS, (id) => clew.findings.update(id, change, query));
    },
  };
}

const REVIEWING: readonly Verb[] = [
  setting('confirm', 'say that Findings are real', { reviewStatus: 'confirmed' }),
  setting('dismiss', 'say that Findings are none', { reviewStatus: 'dismissed' }),
  setting('resolve', 'say that the cause of Findings is mended', { resolutionStatus: 'resolved' }),
  setting('reopen', 'say that the cause of Findings is not mended', { resolutionStatus: 'unresolved' }),
  {
    ...{ name: 'assign', summary: 'say who looks after Findings; nobody with --nobody', args: '<finding...>' },
    options: [own('--to <person>', 'id of the person'), own('--nobody', 'nobody any more'), IF_MATCH],
    example: 'findings assign fnd_1 --to usr_1',
    async run(context) {
      const person = context.text('to');
      if ((person === undefined) !== context.flag('nobody')) throw usageError('Say --to <person> or --nobody');
      const clew = await context.client();
      const assignee = person ?? null;
      const query = context.query();
      await changeEach(context, context.args, FINDING_COLUMNS, (id) => clew.findings.assign(id, { assignee }, query));
    },
  },
  {
    ...{ name: 'snooze', summary: 'hide Findings for a while, or until they happen again', args: '<finding...>' },
    options: [
      own('--for <span>', 'for so long: 12h, 7d', { parse: spanMs }),
      own('--occurrences <count>', 'until it has happened so often again', { parse: wholeNumber }),
      own('--off', 'show them again'),
      IF_MATCH,
    ],
    example: 'findings snooze fnd_1 --for 7d',
    async run(context) {
      const snooze = snoozeOf(context);
      const clew = await context.client();
      const query = context.query();
      await changeEach(context, context.args, FINDING_COLUMNS, (id) => clew.findings.snooze(id, { snooze }, query));
    },
  },
  {
    ...{ name: 'comment', summary: 'write a comment on a Finding', args: '<finding> <text>' },
    options: [IDEMPOTENCY_KEY],
    example: 'findings comment fnd_1 "Seen by the team"',
    async run(context) {
      const clew = await context.client();
      const comment = await clew.findings.comment(context.arg(0), { text: context.arg(1) }, context.query());
      await context.output.rows([comment], ACTIVITY, comment);
    },
  },
];

function snoozeOf(context: Context): Api.NewSnooze | null {
  const [forMs, furtherOccurrences] = [context.number('for'), context.number('occurrences')];
  if (context.flag('off')) return null;
  if (forMs === undefined && furtherOccurrences === undefined) {
    throw usageError('Say --for <span>, --occurrences <count> or --off');
  }
  return {
    ...(forMs === undefined ? {} : { until: context.io.now() + forMs }),
    ...(furtherOccurrences === undefined ? {} : { furtherOccurrences }),
  };
}

const GROUPING: readonly Verb[] = [
  {
    ...{ name: 'merge', summary: 'make Findings part of another one', args: '<finding...>' },
    options: [own('--into <finding>', 'the one that they become part of', { isRequired: true })],
    example: 'findings merge fnd_2 --into fnd_1',
    async run(context) {
      const clew = await context.client();
      const into = context.text('into') ?? '';
      const { signal } = context;
      await changeEach(context, context.args, FINDING_COLUMNS, (id) => clew.findings.merge(id, { into }, { signal }));
    },
  },
  {
    ...{ name: 'unmerge', summary: 'take a Finding out of the one it was merged into', args: '<finding>' },
    example: 'findings unmerge fnd_2',
    async run(context) {
      const clew = await context.client();
      const { signal } = context;
      await changeEach(context, context.args, FINDING_COLUMNS, (id) => clew.findings.unmerge(id, { signal }));
    },
  },
  {
    ...{ name: 'split', summary: 'make a Finding of its own of a part of one', args: '<finding>' },
    options: [
      own('--conversation <conversation>', 'with this conversation', { isRepeatable: true }),
      own('--signal <signal>', 'with what shows this signal'),
      IDEMPOTENCY_KEY,
    ],
    example: 'findings split fnd_1 --signal tool_error',
    async run(context) {
      const [conversationIds, signal] = [context.list('conversation'), context.text('signal')];
      const body = {
        ...(conversationIds.length === 0 ? {} : { conversationIds: [...conversationIds] }),
        ...(signal === undefined ? {} : { signal }),
      };
      const clew = await context.client();
      const finding = await clew.findings.split(context.arg(0), body, context.query());
      await context.output.rows([finding], FINDING_COLUMNS, finding);
    },
  },
];

/** Verbs of Findings. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list Findings, last seen first', columns: FINDING_COLUMNS },
    options: [
      ...FILTERS,
      choice('--sort <field>', 'order, the highest first', [
        ...['lastDetectedAt', 'diagnosticScore', 'occurrenceCount', 'firstDetectedAt'],
      ]),
    ],
    example: 'findings list --severity critical,high --since 7d',
    call: (clew, query) => clew.findings.list(query),
  }),
  {
    ...{ name: 'show', summary: 'show a Finding with its cause and evidence', args: '<finding>' },
    example: 'findings show fnd_1',
    async run(context) {
      const clew = await context.client();
      const finding = await clew.findings.get(context.arg(0), { signal: context.signal });
      await context.output.record(finding, FIELDS, passagesOf(finding));
    },
  },
  ...REVIEWING,
  ...GROUPING,
  {
    ...{ name: 'discover', summary: 'look for Findings in a conversation now, the latest one by default' },
    args: '[conversation]',
    example: 'findings discover conv-1',
    run: discover,
  },
  list({
    ...{ name: 'occurrences', summary: 'list the conversations in which a Finding was seen', args: '<finding>' },
    ...{ columns: OCCURRENCES, example: 'findings occurrences fnd_1' },
    call: (clew, query, { args: [id = ''] }) => clew.findings.occurrences.list(id, query),
  }),
  list({
    ...{ name: 'activity', summary: 'list what was done to a Finding', args: '<finding>' },
    ...{ columns: ACTIVITY, example: 'findings activity fnd_1' },
    call: (clew, query, { args: [id = ''] }) => clew.findings.activity.list(id, query),
  }),
  {
    ...{ name: 'counts', summary: 'count Findings by some of their properties' },
    options: [
      ...FILTERS,
      choices('--by <properties>', 'properties', ['severity', 'reviewStatus', 'resolutionStatus', 'ruleId']),
    ],
    example: 'findings counts --by severity',
    run: count,
  },
  watch({
    ...{ type: 'finding', summary: 'show Findings as they appear and change', columns: FINDING_COLUMNS },
    example: 'findings watch --severity critical,high',
    options: [choices('--severity <severities>', 'only these severities', SEVERITIES)],
    latest: (clew, query) => clew.findings.list(query),
    read: (clew, id, query) => clew.findings.get(id, query),
    isWanted: ({ severity: value }, context) => context.text('severity')?.split(',').includes(value) !== false,
    stampOf: ({ updatedAt }) => updatedAt,
  }),
];

function passagesOf({ summary, causeAssessment, remediationHint, evidence }: Api.Finding): Passage[] {
  const pieces = evidence.map(({ kind, title, summary: what }) => `- ${kind}: ${title}: ${what}`);
  return [
    { text: summary },
    ...(causeAssessment === '' ? [] : [{ title: 'Cause', text: causeAssessment }]),
    ...(remediationHint === '' ? [] : [{ title: 'Remedy', text: remediationHint }]),
    ...(pieces.length === 0 ? [] : [{ title: 'Evidence', text: pieces.join('\n') }]),
  ];
}

async function discover(context: Context): Promise<void> {
  const [conversationId] = context.args;
  const body = conversationId === undefined ? {} : { conversationId };
  const clew: Clew = await context.client();
  const found = await clew.findings.discover(body, { signal: context.signal });
  await context.output.rows(found.findings, FINDING_COLUMNS, found);
  await context.output.note(`${found.findings.length} Findings in ${found.conversationId}`);
}

async function count(context: Context): Promise<void> {
  const clew = await context.client();
  const counted = await clew.findings.count(context.query());
  const groups = Object.entries(counted.counts as Record<string, readonly { value: unknown; count: number }[]>);
  const rows = groups.flatMap(([by, values]) => values.map((each) => ({ by, ...each })));
  await context.output.rows(
    [{ by: 'total', value: '', count: counted.total }, ...rows],
    [
      column('BY', ({ by }) => by),
      column('VALUE', ({ value }) => state(String(value))),
      column('COUNT', ({ count: number }) => number),
    ],
    counted,
  );
}
