import type { Api } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { download, OUTPUT } from '../download.ts';
import { usageError } from '../exit.ts';
import { list } from '../list.ts';
import { choice, flag, IDEMPOTENCY_KEY, IF_MATCH, own, text, whole, wholeNumber } from '../options.ts';
import { column, type Column } from '../output/cells.ts';
import { state } from '../output/columns.ts';
import { uploadEach } from '../upload.ts';

const OBJECTIVES = [
  ...['preserve_successful_behavior', 'correct_failed_conversations'],
  ...['learn_from_user_corrections', 'teach_project_knowledge'],
] as const;
type Objective = (typeof OBJECTIVES)[number];

const COLUMNS: readonly Column<Api.Dataset>[] = [
  column('ID', ({ id }) => id),
  column('NAME', ({ name }) => name),
  column('EXAMPLES', ({ exampleCount }) => exampleCount),
  column('VERSION', ({ version }) => version),
  column('COLLECTION', ({ collectionStatus }) => state(collectionStatus)),
  column('CHANGED', ({ updatedAt }) => ({ at: updatedAt })),
];

const PREVIEW_COLUMNS: readonly Column<Api.CollectionPreview['conversations'][number]>[] = [
  column('CONVERSATION', ({ conversationId }) => conversationId),
  column('WOULD', ({ would }) => state(would)),
  column('BECAUSE', ({ because }) => because),
];

const FIELDS: readonly Column<Api.Dataset>[] = [
  ...COLUMNS,
  column('DESCRIPTION', ({ description }) => description),
  column('OBJECTIVE', ({ collectionPolicy }) => collectionPolicy?.objective),
  column('BLOCKED', ({ blockedReason }) => blockedReason),
  column('CREATED', ({ createdAt }) => ({ at: createdAt })),
];

const IMPORT_COLUMNS: readonly Column<Api.DatasetImportReport>[] = [
  column('IMPORTED', ({ imported }) => imported),
  column('UPDATED', ({ updated }) => updated),
  column('SKIPPED', ({ skipped }) => skipped),
  column('REFUSED', ({ refusedCount }) => refusedCount),
  column('ALIKE', ({ nearDuplicates }) => nearDuplicates.count),
];

const VERSION_COLUMNS: readonly Column<Api.DatasetVersion>[] = [
  column('VERSION', ({ version }) => version),
  column('EXAMPLES', ({ exampleCount }) => exampleCount),
  column('MADE', ({ createdAt }) => ({ at: createdAt })),
  column('CONTENT', ({ contentId }) => contentId),
];

const CHANGE_COLUMNS: readonly Column<Api.VersionChange>[] = [
  column('EXAMPLE', ({ exampleId }) => exampleId),
  column('CHANGE', ({ change }) => change),
  column('VERSION', ({ version }) => version),
];

const DECISION_COLUMNS: readonly Column<Api.CollectionDecision>[] = [
  column('ID', ({ id }) => id),
  column('OUTCOME', ({ outcome }) => outcome),
  column('BECAUSE', ({ because }) => because),
  column('REASON', ({ reason }) => reason),
  column('CONVERSATION', ({ conversationId }) => conversationId),
  column('EXAMPLES', ({ exampleIds }) => ({ words: exampleIds })),
  column('DECIDED', ({ decidedAt }) => ({ at: decidedAt })),
];

const COLLECTION = [
  own('--description <text>', 'what it is for'),
  own('--collect <objective>', 'collect Examples from conversations by itself', {
    values: OBJECTIVES,
    isStrict: true,
  }),
  own('--collection-model <model>', 'model that writes Examples'),
  own('--goal <goal>', 'only Knowledge of this Learning Goal', { isRepeatable: true }),
];

const CHANGING: readonly Verb[] = [
  {
    ...{ name: 'create', summary: 'make a Dataset', args: '<name>', options: [...COLLECTION, IDEMPOTENCY_KEY] },
    example: 'datasets create Refunds --collect correct_failed_conversations',
    async run(context) {
      const clew = await context.client();
      const schema = { type: 'chat', version: 1 } as const;
      const body = { name: context.arg(0), schema, ...settingsIn(context) };
      await showSaved(context, await clew.datasets.create(body, context.query()));
    },
  },
  {
    ...{ name: 'update', summary: 'change a Dataset or what it collects', args: '<dataset>' },
    options: [own('--name <name>', 'another name'), ...COLLECTION, own('--no-collection', 'collect no more'), IF_MATCH],
    example: 'datasets update ds_1 --collect teach_project_knowledge --goal goal_1',
    async run(context) {
      const name = context.text('name');
      const isOff = context.options['collection'] === false;
      const body = {
        ...(name === undefined ? {} : { name }),
        ...settingsIn(context),
        ...(isOff ? { collectionEnabled: false } : {}),
      };
      if (Object.keys(body).length === 0) throw usageError('Say what to change');
      const clew = await context.client();
      await showSaved(context, await clew.datasets.update(context.arg(0), body, context.query()));
    },
  },
  {
    ...{ name: 'delete', summary: 'delete a Dataset with all its versions', args: '<dataset>' },
    ...{ destroys: 'a Dataset with all its versions', options: [IF_MATCH], example: 'datasets delete ds_1' },
    async run(context) {
      const clew = await context.client();
      const asked = await clew.datasets.delete(context.arg(0), context.query());
      if (context.output.form === 'json') await context.output.json(asked);
      else await context.output.note(`Deleting ${context.arg(0)}`);
    },
  },
];

const FILES: readonly Verb[] = [
  {
    ...{
      name: 'import',
      summary: 'add Examples from files; lines that are wrong are named',
      args: '<dataset> <file...>',
    },
    options: [
      own('--format <format>', 'form of the files; by default from their names, else openai-chat', {
        ...{ values: ['jsonl', 'csv', 'openai-chat'], isStrict: true },
      }),
      text('--mapping <mapping>', 'columns of a CSV, as column=field with commas'),
      choice('--delimiter <delimiter>', 'separator of a CSV', ['comma', 'semicolon', 'tab']),
      choice('--on-conflict <way>', 'what happens to Examples that are there already', ['skip', 'update', 'fail']),
      text('--external-ref <name>', 'name of the source'),
      IDEMPOTENCY_KEY,
    ],
    example: 'datasets import ds_1 examples.jsonl --format openai-chat',
    run: importFiles,
  },
  {
    ...{ name: 'export', summary: 'write the Examples of a Dataset, for training or evaluation', args: '<dataset>' },
    options: [
      choice('--format <format>', 'form', ['jsonl', 'csv', 'openai-sft', 'openai-dpo']),
      whole('--version <version>', 'an earlier version'),
      choice('--split <split>', 'one part of it, by --ratio', ['train', 'validation', 'test']),
      text('--ratio <ratio>', 'sizes of the parts: 80,10,10'),
      flag('--include-stale', 'with Examples whose source has changed'),
      OUTPUT,
    ],
    example: 'datasets export ds_1 --format openai-sft',
    async run(context) {
      const clew = await context.client();
      await download(context, clew.datasets.export(context.arg(0), context.query()));
    },
  },
];

/** Verbs of Datasets. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list Datasets', columns: COLUMNS, example: 'datasets list --search refunds' },
    options: [
      text('--search <words>', 'only with these words', { sets: 'q' }),
      choice('--collection-status <status>', 'only with this status', ['off', 'ready', 'setup_required']),
    ],
    call: (clew, query) => clew.datasets.list(query),
  }),
  {
    ...{ name: 'show', summary: 'show a Dataset', args: '<dataset>', example: 'datasets show ds_1' },
    async run(context) {
      const clew = await context.client();
      await context.output.record(await clew.datasets.get(context.arg(0), { signal: context.signal }), FIELDS);
    },
  },
  ...CHANGING,
  ...FILES,
  list({
    ...{ name: 'versions', summary: 'list the versions of a Dataset', args: '<dataset>', columns: VERSION_COLUMNS },
    example: 'datasets versions ds_1',
    call: (clew, query, { args: [id = ''] }) => clew.datasets.versions.list(id, query),
  }),
  list({
    ...{ name: 'diff', summary: 'list what changed between two versions', args: '<dataset> <from> <to>' },
    ...{ columns: CHANGE_COLUMNS, example: 'datasets diff ds_1 1 3' },
    call: (clew, query, { args: [id = '', from = '', to = ''] }) =>
      clew.datasets.versions.diff(id, { ...query, from: wholeOf(from), to: wholeOf(to) }),
  }),
  {
    ...{ name: 'preview', summary: 'show what would be collected of the last conversations', args: '<dataset>' },
    options: [whole('--synthesize <count>', 'let the model write so many Examples, to look at')],
    example: 'datasets preview ds_1',
    async run(context) {
      const clew = await context.client();
      const preview = await clew.datasets.collection.preview(context.arg(0), {}, context.query());
      await context.output.rows(preview.conversations, PREVIEW_COLUMNS, preview);
    },
  },
  {
    ...{ name: 'collect', summary: 'look at conversations again, for Examples', args: '<dataset> <conversation...>' },
    example: 'datasets collect ds_1 conv-1 conv-2',
    async run(context) {
      const [id = '', ...conversationIds] = context.args;
      const clew = await context.client();
      const asked = await clew.datasets.collection.collect(id, { conversationIds }, { signal: context.signal });
      await context.output.record(asked, [
        column('ASKED', ({ conversationIds: ids }) => ids.length),
        column('UNKNOWN', ({ unknown }) => ({ words: unknown })),
      ]);
    },
  },
  list({
    ...{ name: 'decisions', summary: 'list what was collected and what was not, and why', args: '<dataset>' },
    ...{ columns: DECISION_COLUMNS, example: 'datasets decisions ds_1 --outcome refused' },
    options: [
      text('--outcome <outcome>', 'only with this outcome'),
      text('--reason <reason>', 'only for this reason'),
      text('--conversation <conversation>', 'only of this conversation', { sets: 'conversationId' }),
    ],
    call: (clew, query, { args: [id = ''] }) => clew.datasets.collection.decisions(id, query),
  }),
];

async function showSaved({ output }: Context, dataset: Api.Dataset): Promise<void> {
  await output.rows([dataset], COLUMNS, dataset);
  if (dataset.blockedReason !== null) await output.note(`It collects nothing yet: ${dataset.blockedReason}`);
}

function wholeOf(given: string): number {
  try {
    return wholeNumber(given);
  } catch {
    throw usageError(`${given} is no version`, 'See them: clew datasets versions <dataset>');
  }
}

function settingsIn(context: Context) {
  const [description, model] = [context.text('description'), context.text('collectionModel')];
  const [objective, goals] = [context.text('collect') as Objective | undefined, context.list('goal')];
  return {
    ...(description === undefined ? {} : { description }),
    ...(objective === undefined ? {} : { collectionObjective: objective, collectionEnabled: true }),
    ...(model === undefined ? {} : { collectionModel: model }),
    ...(goals.length === 0 ? {} : { collectionFilters: { knowledgeGoalIds: [...goals] } }),
  };
}

type Format = 'jsonl' | 'csv' | 'openai-chat';

async function importFiles(context: Context): Promise<number> {
  const [id = '', ...files] = context.args;
  const clew = await context.client();
  const { idempotencyKey, ...query } = context.query();
  if (idempotencyKey !== undefined && files.length > 1) throw usageError('A key names the import of one file');
  const given = context.text('format') as Format | undefined;
  return await uploadEach(context, files, IMPORT_COLUMNS, async ({ name, source, onProgress }) => {
    const format = given ?? (name.endsWith('.csv') ? 'csv' : 'openai-chat');
    return await clew.datasets.import(id, source, {
      ...query,
      ...{ format, onProgress },
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
  });
}
