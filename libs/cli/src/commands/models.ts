import type { Api } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { list } from '../list.ts';
import { choice, either, IDEMPOTENCY_KEY, own, text, wholeNumber } from '../options.ts';
import { column, type Column } from '../output/cells.ts';
import { SERVICE_COLUMNS } from '../output/columns.ts';
import { secretFrom } from '../secret-input.ts';

const COLUMNS: readonly Column<Api.CatalogModel>[] = [
  column('ID', ({ id }) => id),
  column('CATEGORY', ({ category }) => category),
  column('SIZE', ({ sizeBytes }) => ({ bytes: sizeBytes })),
  column('INSTALLED', ({ installed }) => installed),
  column('LICENSE', ({ license }) => license),
  column('FORMATS', ({ formats }) => ({ words: formats })),
  column('NAME', ({ name }) => name),
];

const PROFILES: readonly Column<Api.ModelProfile>[] = [
  column('PROFILE', ({ id }) => id),
  column('ENGINE', ({ engine }) => engine),
  column('QUANTISATION', ({ quantization }) => quantization),
  column('MEMORY', ({ memoryEstimateBytes }) => ({ bytes: memoryEstimateBytes })),
];

const PROFILE = own('--model-profile <id>', 'profile; by default the one that suits most machines');

const RUNNING: readonly Verb[] = [
  {
    ...{ name: 'pull', summary: 'make a model ready: engine, download, service', args: '<model>' },
    options: [
      PROFILE,
      own('--no-start', 'start no service'),
      own('--no-wait', 'only ask for it'),
      own('--cancel-on-interrupt', 'stop the download on Ctrl-C'),
    ],
    example: 'models pull smollm2-135m-instruct --no-wait',
    run: async (context) => (await import('./models-pull.ts')).pull(context),
  },
  {
    ...{ name: 'start', summary: 'start the service of a model that is there', args: '<model>' },
    options: [PROFILE, own('--context-length <tokens>', 'room for a conversation', { parse: wholeNumber })],
    example: 'models start smollm2-135m-instruct',
    run: async (context) => (await import('./models-pull.ts')).start(context),
  },
  {
    ...{ name: 'stop', summary: 'stop the service of a model', args: '<model>', options: [PROFILE] },
    example: 'models stop smollm2-135m-instruct',
    run: async (context) => (await import('./models-pull.ts')).stop(context),
  },
  {
    ...{ name: 'rm', summary: 'remove the files of a model from the node', args: '<model>', options: [PROFILE] },
    ...{ destroys: 'the files of a model', example: 'models rm smollm2-135m-instruct' },
    run: async (context) => (await import('./models-pull.ts')).remove(context),
  },
  {
    ...{ name: 'ps', summary: 'list the services of models', example: 'models ps' },
    async run(context) {
      const clew = await context.client();
      const runtime = await clew.models.runtime({ signal: context.signal });
      await context.output.rows(runtime.services, SERVICE_COLUMNS, runtime);
    },
  },
  {
    ...{ name: 'activity', summary: 'show what the node does: engines, downloads, services' },
    options: [own('-f, --follow', 'go on until it is interrupted')],
    example: 'models activity',
    run: async (context) => (await import('./models-logs.ts')).activity(context),
  },
  {
    ...{ name: 'logs', summary: 'show what the service of a model writes', args: '<model>' },
    options: [own('-f, --follow', 'go on until it is interrupted')],
    example: 'models logs smollm2-135m-instruct',
    run: async (context) => (await import('./models-logs.ts')).logs(context),
  },
  {
    ...{ name: 'chat', summary: 'talk with a model; with a message, or one that is piped in, just once' },
    args: '[model] [message]',
    options: [
      own('--system <text>', 'instruction before everything'),
      own('--max-tokens <count>', 'no longer answer than this', { parse: wholeNumber }),
    ],
    example: 'models chat self/smollm2-135m-instruct "Say hello"',
    run: async (context) => (await import('./models-chat.ts')).chat(context),
  },
];

/** Verbs of models. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ name: 'search', summary: 'find models in the catalog', args: '[words]', columns: COLUMNS },
    options: [
      choice('--category <category>', 'only of this kind', [
        ...['chat', 'embedding', 'transcription', 'reranking', 'vision', 'other'],
      ]),
      choice('--format <format>', 'only in this format', ['gguf', 'safetensors', 'ctranslate2']),
      text('--pipeline-tag <tag>', 'only with this tag of the hub'),
      text('--sort <order>', 'order'),
      ...either('installed', 'only what is there', 'only what is not there'),
    ],
    example: 'models search smollm2 --category chat',
    call: (clew, query, { args: [search] }) =>
      clew.models.list({ ...query, ...(search === undefined ? {} : { search }) }),
  }),
  {
    ...{ name: 'show', summary: 'show a model with its profiles', args: '<model>' },
    example: 'models show smollm2-135m-instruct',
    async run(context) {
      const clew = await context.client();
      const model = await clew.models.get(context.arg(0), { signal: context.signal });
      const profiles = model.profiles.map((profile) =>
        PROFILES.map(({ of }) => of(profile))
          .map((cell) => (typeof cell === 'string' ? cell : '-'))
          .join('  '),
      );
      await context.output.record(model, COLUMNS, [
        { text: model.description },
        { title: 'Profiles', text: profiles.map((line) => `- ${line}`).join('\n') },
      ]);
    },
  },
  {
    ...{ name: 'import', summary: 'take a model of the hub into the catalog', args: '<repository>' },
    ...{ options: [IDEMPOTENCY_KEY], example: 'models import HuggingFaceTB/SmolLM2-135M-Instruct' },
    async run(context) {
      const clew = await context.client();
      const model = await clew.models.import({ repoId: context.arg(0) }, context.query());
      await context.output.rows([model], COLUMNS, model);
    },
  },
  ...RUNNING,
  {
    ...{ name: 'hub-token', summary: 'say whether the hub gets a token; set it with --set, typed or piped in' },
    options: [own('--set', 'set it'), own('--remove', 'remove it')],
    example: 'models hub-token',
    run: hubToken,
  },
  {
    ...{ name: 'available', summary: 'show whether a model can be called, and if not, why', args: '<model>' },
    example: 'models available self/smollm2-135m-instruct',
    async run(context) {
      const clew = await context.client();
      const answer = await clew.models.availability({ model: context.arg(0), signal: context.signal });
      await context.output.record(answer, [
        column('MODEL', ({ model }) => model),
        column('AVAILABLE', ({ available }) => available),
        column('REASON', ({ reason }) => reason),
        column('RESOLVED', ({ resolvedModel }) => resolvedModel),
        column('CHECKED', ({ checkedAt }) => ({ at: checkedAt })),
      ]);
    },
  },
];

async function hubToken(context: Context): Promise<void> {
  const { output, signal } = context;
  const token = context.flag('set') ? await secretFrom(context, 'Token of the hub') : undefined;
  const clew = await context.client();
  if (context.flag('remove')) await clew.models.hubToken.delete({ signal });
  const status =
    token === undefined
      ? await clew.models.hubToken.get({ signal })
      : await clew.models.hubToken.set({ token }, { signal });
  await output.record(status, [
    column('TOKEN', ({ hasToken }) => hasToken),
    column('CHANGED', ({ updatedAt }) => ({ at: updatedAt })),
  ]);
}
