import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Clew, ClewOptions } from '@clew/sdk';
import { attributeOf, type Context, type OptionValues, type Query, type Verb } from './command.ts';
import { settingsOf, type Chosen, type Settings } from './config/settings.ts';
import { CliError, EXIT, usageError } from './exit.ts';
import type { Io } from './io.ts';
import { createOutput, type Form } from './output/output.ts';
import { VERSION } from './version.ts';

/** Options of the client that tests choose. */
export type ClientOptions = Pick<ClewOptions, 'maxRetries'>;

export interface ContextParts {
  io: Io;
  verb: Verb;
  args: readonly string[];
  options: OptionValues;
  clientOptions: ClientOptions;
}

export function createContext({ io, verb, args, options, clientOptions }: ContextParts): Context {
  const output = createOutput(io, formOf(options, io), { isQuiet: options['quiet'] === true });
  let settings: Settings | undefined;
  const context: Context = {
    ...{ io, verb, args, options, output, signal: io.interrupted },
    arg: (at) => args[at] ?? '',
    text: (name) => (typeof options[name] === 'string' ? options[name] : undefined),
    number: (name) => options[name] as number | undefined,
    flag: (name) => options[name] === true,
    list: (name) => (options[name] ?? []) as readonly string[],
    query: () => ({ ...queryOf(verb, options), signal: io.interrupted }) as unknown as Query,
    settings: () => (settings ??= settingsOf(io, options as Chosen)),
    client: () => clientOf(context, clientOptions),
    path: (name) => resolve(io.directory, name),
    read: (name) => readInput(context, name),
    confirm: (what, name) => confirm(context, what, name),
  };
  return context;
}

/** Returns the form of the output: what is asked for, else by where it goes. */
function formOf(options: OptionValues, { stdout }: Io): Form {
  const asked = (['json', 'ndjson', 'ids'] as const).filter((form) => options[form] === true);
  if (asked.length > 1) throw usageError(`Choose one of ${asked.map((form) => `--${form}`).join(' and ')}`);
  return asked[0] ?? (stdout.isTerminal ? 'people' : 'tsv');
}

function queryOf({ options = [] }: Verb, values: OptionValues): Record<string, unknown> {
  const entries = options.flatMap(({ sets, ...option }) => {
    const value = sets === undefined ? undefined : values[attributeOf(option.flags)];
    return sets === undefined || value === undefined ? [] : [[sets, value] as const];
  });
  return Object.fromEntries(entries);
}

async function clientOf(context: Context, clientOptions: ClientOptions): Promise<Clew> {
  const { io, verb } = context;
  const { url, apiKey, project } = context.settings();
  if (apiKey === undefined) {
    throw new CliError(`There is no key for ${url}`, {
      exitCode: EXIT.notAllowed,
      hint: 'clew login, or set CLEW_API_KEY',
    });
  }
  const { Clew } = await import('@clew/sdk');
  const options: ClewOptions = {
    ...{ baseUrl: url, apiKey, project, headers: { 'user-agent': `clew-cli/${VERSION}` }, ...clientOptions },
    ...(context.flag('verbose') ? { fetch: tellingFetch(io), logger: loggerOf(io) } : {}),
  };
  const client = new Clew(options);
  if (project !== undefined || verb.isProjectless === true) return client;
  return new Clew({ ...options, project: await onlyProject(client, context.signal) });
}

/** Returns the project of a key that reaches a single one. */
async function onlyProject(client: Clew, signal: AbortSignal): Promise<string> {
  const { projectIds } = await client.me.get({ signal });
  const [only] = projectIds === 'all' ? [] : projectIds;
  if (only !== undefined && projectIds.length === 1) return only;
  throw usageError(
    'Name a project',
    '--project <id>, CLEW_PROJECT, or clew projects use <id or name>; see clew projects list',
  );
}

const loggerOf = ({ stderr }: Io) => ({
  debug: () => undefined,
  warn: (text: string) => void stderr.write(`${text}\n`),
});

/** Returns a fetch that tells of each request, without its key. */
function tellingFetch({ stderr, now }: Io): typeof fetch {
  return async (input, init) => {
    const startedMs = now();
    const { pathname, search } = new URL(input as string);
    const answer = await fetch(input, init);
    const id = answer.headers.get('x-service-request-id') ?? '-';
    const took = `${now() - startedMs} ms`;
    await stderr.write(`${init?.method ?? 'GET'} ${pathname}${search} ${answer.status} ${took} ${id}\n`);
    return answer;
  };
}

async function readInput({ io, path }: Context, name: string): Promise<string> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of name === '-' ? io.stdin : createReadStream(path(name))) parts.push(part as Uint8Array);
  } catch (error) {
    throw usageError(`Cannot read ${name}: ${(error as Error).message}`);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Tells whether a person can be asked. */
export function mayAsk({ io, options, output }: Context): boolean {
  const isCi = io.env['CI'] !== undefined && io.env['CI'] !== '';
  const isForPeople = output.form === 'people' || output.form === 'tsv';
  return options['input'] !== false && !isCi && isForPeople && io.stdin.isTerminal && io.stderr.isTerminal;
}

async function confirm(context: Context, what: string, name = context.args.at(-1) ?? ''): Promise<void> {
  if (context.flag('yes')) return;
  const { args, io } = context;
  const warning = `This removes ${what}: ${args.length === 0 ? name : args.join(' ')}`;
  if (!mayAsk(context)) throw usageError(warning, 'Say --yes if that is what you want');
  const typed = await io.ask(`${warning}. Type ${name} to go on`);
  if (typed !== name) throw new CliError('Nothing was removed');
}
