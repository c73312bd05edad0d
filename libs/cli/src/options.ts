import { attributeOf, type OptionSpec } from './command.ts';

/** Makes an option that sets a parameter of the API to its text. */
export function text(flags: string, description: string, more: Partial<OptionSpec> = {}): OptionSpec {
  return { flags, description, sets: attributeOf(flags), ...more };
}

/** Makes an option with a few values. */
export function choice(flags: string, description: string, values: readonly string[], more: Partial<OptionSpec> = {}) {
  return text(flags, description, { values, isStrict: true, ...more });
}

/** Makes an option that takes some of a few values, with commas between them. */
export function choices(flags: string, description: string, values: readonly string[]): OptionSpec {
  return text(flags, `${description}, with commas: ${values.join(', ')}`, { values });
}

/** Makes an option that is on, or with `--no-` off. */
export function flag(flags: string, description: string, more: Partial<OptionSpec> = {}): OptionSpec {
  return { flags, description, sets: attributeOf(flags), ...more };
}

/** Makes a pair of options: one sets a parameter to true, the other to false. */
export function either(name: string, yes: string, no: string): OptionSpec[] {
  return [flag(`--${name}`, yes), flag(`--no-${name}`, no)];
}

/** Makes an option that takes a whole number. */
export function whole(flags: string, description: string, more: Partial<OptionSpec> = {}): OptionSpec {
  return text(flags, description, { parse: wholeNumber, ...more });
}

/** Makes an option that takes a time: a date, or a span before now. */
export function when(flags: string, description: string, sets: string, more: Partial<OptionSpec> = {}): OptionSpec {
  return text(flags, `${description}: 2026-11-01, or 7d, 12h, 30min before now`, { parse: pointInTime, sets, ...more });
}

/** Makes an option that this program itself obeys. */
export function own(flags: string, description: string, more: Partial<OptionSpec> = {}): OptionSpec {
  return { flags, description, ...more };
}

/** Option of what is not asked for again. */
export const YES: OptionSpec = own('-y, --yes', 'ask nothing');

/** Names a request, so that it takes effect once however often it is sent. */
export const IDEMPOTENCY_KEY: OptionSpec = text('--idempotency-key <key>', 'key under which this takes effect once');

/** Changes a thing only if it is still one version. */
export const IF_MATCH: OptionSpec = text('--if-match <etag>', 'change it only if it is still this version');

export function wholeNumber(given: string): number {
  if (!/^-?\d{1,15}$/.test(given)) throw new Error('must be a whole number');
  return Number(given);
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  min: 60_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

export function spanMs(given: string): number {
  const [, count, unit = ''] = /^(\d{1,9}) ?(ms|s|min|m|h|d|w)$/.exec(given) ?? [];
  const unitMs = UNIT_MS[unit];
  if (count === undefined || unitMs === undefined) throw new Error('must be a span of time, like 90s, 30min or 7d');
  return Number(count) * unitMs;
}

export function pointInTime(given: string, nowMs: number): number {
  if (/^\d{11,15}$/.test(given)) return Number(given);
  if (given === 'now') return nowMs;
  const date = /^\d{4}-\d\d-\d\d/.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(date)) return date;
  try {
    return nowMs - spanMs(given);
  } catch {
    throw new Error('must be a date, like 2026-11-01 or 2026-11-01T12:00Z, or a span before now, like 7d');
  }
}
