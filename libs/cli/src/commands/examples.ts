import type { Api } from '@clew/sdk';
import type { Verb } from '../command.ts';
import { readJsonObject } from '../json-input.ts';
import { list } from '../list.ts';
import { choice, choices, flag, IDEMPOTENCY_KEY, IF_MATCH, own, text, whole } from '../options.ts';
import { column, minor, type Column } from '../output/cells.ts';
import { usageError } from '../exit.ts';

const FILTERS = [
  choice('--split <split>', 'only of this part, by --ratio', ['train', 'validation', 'test']),
  text('--ratio <ratio>', 'sizes of the parts: 80,10,10'),
  text('--tag <tag>', 'only with this tag'),
  choice('--source-kind <kind>', 'only from such a source', ['manual', 'conversation', 'import', 'synthetic']),
  text('--conversation <conversation>', 'only from this conversation', { sets: 'conversationId' }),
  text('--search <words>', 'only with these words', { sets: 'q' }),
];

const COLUMNS: readonly Column<Api.Example>[] = [
  column('ID', ({ id }) => id),
  column('SOURCE', ({ source }) => source.kind),
  column('TAGS', ({ tags }) => ({ words: tags })),
  minor('VERSION', ({ version }) => version),
  minor('CHANGED', ({ updatedAt }) => ({ at: updatedAt })),
  column('INPUT', ({ payload }) => wordsOf(payload.input)),
];

/** Returns what a person recognises an input by: what the user said last. */
function wordsOf(input: Api.ExampleInput): string {
  const said = 'messages' in input ? input.messages.findLast(({ role }) => role === 'user')?.content : undefined;
  return typeof said === 'string' ? said : JSON.stringify(input);
}

/** Verbs of Examples. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list the Examples of a Dataset', args: '<dataset>', columns: COLUMNS },
    options: [...FILTERS, whole('--version <version>', 'as of an earlier version')],
    example: 'examples list ds_1 --tag refund',
    call: (clew, query, { args: [id = ''] }) => clew.examples.list(id, query),
  }),
  {
    ...{ name: 'show', summary: 'show an Example', args: '<dataset> <example>' },
    options: [whole('--version <version>', 'as of an earlier version')],
    example: 'examples show ds_1 ex_1',
    async run(context) {
      const clew = await context.client();
      const example = await clew.examples.get(context.arg(0), context.arg(1), context.query());
      await context.output.record(example, COLUMNS.slice(0, -1), [
        { text: JSON.stringify(example.payload, null, 2), isVerbatim: true },
      ]);
    },
  },
  {
    ...{
      name: 'add',
      summary: 'add an Example from a file of JSON: {payload, source, tags?}',
      args: '<dataset> <file>',
    },
    ...{ options: [IDEMPOTENCY_KEY], example: 'examples add ds_1 example.json' },
    async run(context) {
      const body = (await readJsonObject(context, context.arg(1))) as Api.NewExample;
      const clew = await context.client();
      const example = await clew.examples.create(context.arg(0), body, context.query());
      await context.output.rows([example], COLUMNS, example);
    },
  },
  {
    ...{ name: 'edit', summary: 'change an Example', args: '<dataset> <example>' },
    options: [
      own('--file <file>', 'file of JSON with what changes: {payload?, source?, tags?}'),
      own('--tags <tags>', 'its tags, with commas'),
      IF_MATCH,
    ],
    example: 'examples edit ds_1 ex_1 --tags refund,checked',
    async run(context) {
      const [file, tags] = [context.text('file'), context.text('tags')];
      if (file === undefined && tags === undefined) throw usageError('Say --file or --tags');
      const body = {
        ...(file === undefined ? {} : await readJsonObject(context, file)),
        ...(tags === undefined ? {} : { tags: tags.split(',').filter((tag) => tag !== '') }),
      };
      const clew = await context.client();
      const example = await clew.examples.update(context.arg(0), context.arg(1), body, context.query());
      await context.output.rows([example], COLUMNS, example);
    },
  },
  {
    ...{ name: 'delete', summary: 'delete an Example from the Dataset as it is now', args: '<dataset> <example>' },
    options: [flag('--erase', 'also from all earlier versions'), IF_MATCH],
    ...{ destroys: 'an Example of a Dataset', example: 'examples delete ds_1 ex_1' },
    async run(context) {
      const clew = await context.client();
      await clew.examples.delete(context.arg(0), context.arg(1), context.query());
      await context.output.note(`Deleted ${context.arg(1)}`);
    },
  },
  {
    ...{ name: 'counts', summary: 'count Examples by some of their properties', args: '<dataset>' },
    options: [...FILTERS.slice(2), choices('--by <properties>', 'properties', ['tag', 'sourceKind', 'split'])],
    example: 'examples counts ds_1 --by tag',
    async run(context) {
      const clew = await context.client();
      const counted = await clew.examples.count(context.arg(0), context.query());
      const rows = Object.entries(counted.counts).flatMap(([by, values]) =>
        values.map(({ value, count }) => ({ by, value: String(value), count })),
      );
      await context.output.rows(
        [{ by: 'total', value: '', count: counted.total.count }, ...rows],
        [column('BY', ({ by }) => by), column('VALUE', ({ value }) => value), column('COUNT', ({ count }) => count)],
        counted,
      );
    },
  },
];
