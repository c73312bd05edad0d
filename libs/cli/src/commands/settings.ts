import type { Clew } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { usageError } from '../exit.ts';
import { IF_MATCH } from '../options.ts';
import { column, type Column } from '../output/cells.ts';

type Values = Readonly<Record<string, unknown>>;

interface Calls {
  get(query: object): PromiseLike<object>;
  update(change: never, query: object): PromiseLike<object>;
}

/** Parts of a project that have settings. */
const PARTS = {
  telemetry: (clew: Clew): Calls => clew.telemetry.settings,
  diagnostics: (clew: Clew): Calls => clew.diagnostics.settings,
  knowledge: (clew: Clew): Calls => clew.knowledge.settings,
  models: (clew: Clew): Calls => clew.models.settings,
} as const;

/** Verbs of settings. */
export const VERBS: readonly Verb[] = [
  {
    ...{ name: 'show', summary: `show the settings of ${Object.keys(PARTS).join(', ')}`, args: '<part>' },
    example: 'settings show diagnostics',
    async run(context) {
      const settings = await settingsOf(context);
      await show(context, await settings.get({ signal: context.signal }));
    },
  },
  {
    ...{ name: 'set', summary: 'change settings; a value may be JSON', args: '<part> <name=value...>' },
    ...{ options: [IF_MATCH], example: 'settings set diagnostics reviewMode=all dailyReviews=50' },
    async run(context) {
      const change = Object.fromEntries(context.args.slice(1).map(entryOf));
      const settings = await settingsOf(context);
      await show(context, await settings.update(change as never, context.query()));
    },
  },
];

async function settingsOf(context: Context): Promise<Calls> {
  const part = context.arg(0);
  if (!Object.hasOwn(PARTS, part)) throw usageError(`${part} has no settings`, Object.keys(PARTS).join(', '));
  return PARTS[part as keyof typeof PARTS](await context.client());
}

function entryOf(given: string): [name: string, value: unknown] {
  const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(given) ?? [];
  if (name === undefined) throw usageError(`${given} is no setting`, 'Give it as name=value');
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}

/** Prints settings, which some answers have in a member of that name. */
async function show({ output }: Context, answer: object): Promise<void> {
  if (output.form === 'json') return await output.json(answer);
  const settings = 'settings' in answer ? (answer.settings as Values) : (answer as Values);
  const fields = Object.keys(settings).map((name): Column<Values> => column(name, (values) => plainOf(values[name])));
  await output.record(settings, fields);
}

const plainOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | number | boolean | null);
