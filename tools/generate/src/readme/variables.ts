import { tmpdir } from 'node:os';
import { addressVariable, SERVICE_NAMES } from '@clew/contracts';
import type { z } from 'zod';
import { readSources, ROOT, type AppFacts } from './apps.ts';

/** Environment variable of an app, as its README shows it. */
export interface Variable {
  name: string;
  /** `required`, or the default as text; empty if the variable is optional without a default. */
  default: string;
  /** Empty if the variable has no comment. */
  description: string;
}

const COMMENTED_VARIABLE = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*([A-Z][A-Z0-9_]+):/g;
const KIB = 1024;
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Variables of an app with the text of their comments; the app's own variables come before shared ones. */
export function variablesOf(app: AppFacts): Variable[] {
  const shared = new Map([...ADDRESSES, ...commentsIn(readSources('libs/*/src'))]);
  const own = commentsIn(app.sources);
  const variables = Object.entries(app.config.shape).map(([name, schema]) => ({
    name,
    default: describeDefault(name, schema as z.ZodType),
    description: own.get(name) ?? shared.get(name) ?? '',
  }));
  const isShared = ({ name }: Variable) => Number(shared.has(name) && !own.has(name));
  return variables.sort((a, b) => isShared(a) - isShared(b));
}

const ADDRESSES = SERVICE_NAMES.map((name) => [addressVariable(name) as string, `Where ${name} is.`] as const);

function commentsIn(sources: readonly string[]): Map<string, string> {
  const matches = sources.flatMap((source) => [...source.matchAll(COMMENTED_VARIABLE)]);
  return new Map(matches.map(([, comment = '', name = '']) => [name, textOf(comment)]));
}

function textOf(comment: string): string {
  return comment
    .replace(/\n\s*\*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function describeDefault(name: string, schema: z.ZodType): string {
  const { success, data } = schema.safeParse(undefined);
  if (!success) return 'required';
  if (data === undefined || data === '') return '';
  if (typeof data === 'number' && name.includes('_BYTES')) return `${data} (${inUnits(data)})`;
  return `\`${String(data).replace(ROOT, '').replace(tmpdir(), '<tmp>').replace(/^\//, '')}\``;
}

function inUnits(bytes: number): string {
  const exponent = Math.floor(Math.log2(bytes) / 10);
  return `${bytes / KIB ** exponent} ${UNITS[exponent]}`;
}
