import type { Api } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { download, OUTPUT } from '../download.ts';
import { changeEach } from '../each.ts';
import { usageError } from '../exit.ts';
import { list } from '../list.ts';
import { choice, either, IDEMPOTENCY_KEY, IF_MATCH, own, text, when, whole, wholeNumber } from '../options.ts';
import { column, minor, type Column } from '../output/cells.ts';
import { state } from '../output/columns.ts';

const KINDS = ['fact', 'preference', 'procedure', 'correction', 'policy'] as const;
type Kind = (typeof KINDS)[number];

const GOAL = text('--goal <goal>', 'only of this Learning Goal', { sets: 'goalId' });
const SUBJECT = text('--subject <name>', 'only about this subject');
const FILTERS = [GOAL, choice('--status <status>', 'only with this status', ['active', 'archived']), SUBJECT];

const COLUMNS: readonly Column<Api.KnowledgeItem>[] = [
  column('ID', ({ id }) => id),
  column('KIND', ({ kind }) => kind),
  minor('STATUS', ({ status }) => state(status)),
  minor('SUBJECT', ({ subject }) => subject.name),
  minor('CONFIDENCE', ({ confidence }) => confidence),
  minor('REVIEWED', ({ reviewedAt }) => ({ at: reviewedAt })),
  column('CHANGED', ({ updatedAt }) => ({ at: updatedAt })),
  column('TITLE', ({ title }) => title),
];

const FIELDS: readonly Column<Api.KnowledgeItem>[] = [
  ...COLUMNS,
  column('GOAL', ({ goalId }) => goalId),
  column('AUTHORITY', ({ authority }) => authority),
  column('CONVERSATION', ({ sourceConversationId }) => sourceConversationId),
  column('VALID FROM', ({ validFrom }) => ({ at: validFrom })),
  column('VALID UNTIL', ({ validUntil }) => ({ at: validUntil })),
];

const REVISION_COLUMNS: readonly Column<Api.KnowledgeItemRevision>[] = [
  column('REVISION', ({ revision }) => revision),
  column('BY', ({ author }) => author.kind),
  column('AT', ({ createdAt }) => ({ at: createdAt })),
  column('TITLE', ({ item }) => item.title),
];

function setting(name: string, summary: string, status: Api.KnowledgeItem['status']): Verb {
  return {
    ...{ name, summary, args: '<item...>', options: [IF_MATCH], example: `items ${name} ki_1 ki_2` },
    async run(context) {
      const clew = await context.client();
      const query = context.query();
      await changeEach(context, context.args, COLUMNS, (id) => clew.knowledge.items.update(id, { status }, query));
    },
  };
}

const CHANGING: readonly Verb[] = [
  {
    ...{ name: 'add', summary: 'write down Knowledge', args: '<goal> <title> <content>' },
    options: [own('--kind <kind>', 'kind; fact by default', { values: KINDS, isStrict: true }), IDEMPOTENCY_KEY],
    example: 'items add goal_1 "Refunds over 100" "A refund over 100 needs a supervisor" --kind policy',
    async run(context) {
      const kind = (context.text('kind') ?? 'fact') as Kind;
      const body = { goalId: context.arg(0), title: context.arg(1), content: context.arg(2), kind };
      const clew = await context.client();
      const item = await clew.knowledge.items.create(body, context.query());
      await context.output.rows([item], COLUMNS, item);
    },
  },
  {
    ...{ name: 'edit', summary: 'correct an item', args: '<item>' },
    options: [
      own('--title <title>', 'another title'),
      own('--content <text>', 'another content'),
      own('--kind <kind>', 'another kind', { values: KINDS, isStrict: true }),
      IF_MATCH,
    ],
    example: 'items edit ki_1 --content "A refund over 200 needs a supervisor"',
    run: edit,
  },
  setting('review', 'say that items are right', 'active'),
  setting('archive', 'say that items are not to be used', 'archived'),
  {
    ...{ name: 'undo', summary: 'take the last change of an item back', args: '<item>', example: 'items undo ki_1' },
    async run(context) {
      const clew = await context.client();
      const item = await clew.knowledge.items.undo(context.arg(0), { signal: context.signal });
      await context.output.rows([item], COLUMNS, item);
    },
  },
];

/** Verbs of items of Knowledge. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list items of Knowledge', columns: COLUMNS, example: 'items list --goal goal_1 --no-reviewed' },
    options: [
      ...FILTERS,
      ...either('reviewed', 'only what a person has looked at', 'only what nobody has looked at'),
      choice('--kind <kind>', 'only of this kind', KINDS),
      text('--conversation <conversation>', 'only from this conversation', { sets: 'sourceConversationId' }),
      text('--min-confidence <share>', 'only with at least this confidence, between 0 and 1'),
      text('--max-confidence <share>', 'only with at most this confidence'),
      when('--updated-after <time>', 'only changed after a time', 'updatedAfter'),
      when('--as-of <time>', 'as it was held at a time', 'asOf'),
      text('--search <words>', 'only with these words', { sets: 'q' }),
    ],
    call: (clew, query) => clew.knowledge.items.list(query),
  }),
  {
    ...{ name: 'show', summary: 'show an item with its quotes', args: '<item>', example: 'items show ki_1' },
    async run(context) {
      const clew = await context.client();
      const item = await clew.knowledge.items.get(context.arg(0), { signal: context.signal });
      const quotes = item.evidence.map(({ conversationId, quote }) => `- ${conversationId}: "${quote}"`);
      await context.output.record(item, FIELDS, [
        { text: item.content },
        ...(quotes.length === 0 ? [] : [{ text: quotes.join('\n') }]),
      ]);
    },
  },
  ...CHANGING,
  list({
    ...{ name: 'revisions', summary: 'list the revisions of an item', args: '<item>', columns: REVISION_COLUMNS },
    example: 'items revisions ki_1',
    call: (clew, query, { args: [id = ''] }) => clew.knowledge.items.revisions(id, query),
  }),
  {
    ...{ name: 'search', summary: 'find Knowledge by words and meaning', args: '<question>' },
    options: [
      GOAL,
      SUBJECT,
      when('--as-of <time>', 'as it was held at a time', 'asOf'),
      whole('-k, --count <count>', 'so many at most', { sets: 'k' }),
    ],
    example: 'items search "Who approves refunds?"',
    async run(context) {
      const clew = await context.client();
      const found = await clew.knowledge.search({ ...context.query(), q: context.arg(0) });
      await context.output.rows(
        found.items,
        [
          column('ID', ({ item }) => item.id),
          column('SCORE', ({ score }) => score),
          column('TITLE', ({ item }) => item.title),
          column('CONTENT', ({ item }) => item.content),
        ],
        found,
      );
    },
  },
  {
    ...{ name: 'recall', summary: 'print what answers a question, as text for the prompt of an agent' },
    args: '<question>',
    options: [
      own('--goal <goal>', 'only of this Learning Goal'),
      own('--subject <name>', 'only about this subject'),
      own('--max-tokens <count>', 'so many tokens at most', { parse: wholeNumber }),
    ],
    example: 'items recall "Who approves refunds?" --max-tokens 500',
    run: recall,
  },
  {
    ...{ name: 'export', summary: 'write all items as lines of JSON' },
    options: [...FILTERS, OUTPUT],
    example: 'items export --goal goal_1',
    async run(context) {
      const clew = await context.client();
      await download(context, clew.knowledge.items.export(context.query()));
    },
  },
];

async function recall(context: Context): Promise<void> {
  const [goalId, subject, maxTokens] = [context.text('goal'), context.text('subject'), context.number('maxTokens')];
  const clew = await context.client();
  const recalled = await clew.knowledge.recall(
    {
      q: context.arg(0),
      ...(goalId === undefined ? {} : { goalId }),
      ...(subject === undefined ? {} : { subject }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
    },
    { signal: context.signal },
  );
  if (context.output.form === 'json') await context.output.json(recalled);
  else await context.output.text(`${recalled.text}\n`);
}

async function edit(context: Context): Promise<void> {
  const [title, content] = [context.text('title'), context.text('content')];
  const kind = context.text('kind') as Kind | undefined;
  const body = {
    ...(title === undefined ? {} : { title }),
    ...(content === undefined ? {} : { content }),
    ...(kind === undefined ? {} : { kind }),
  };
  if (Object.keys(body).length === 0) throw usageError('Say what to change');
  const clew = await context.client();
  const item = await clew.knowledge.items.update(context.arg(0), body, context.query());
  await context.output.rows([item], COLUMNS, item);
}
