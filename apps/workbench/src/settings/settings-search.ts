/** Names of what the address of a part may hold; each part knows what its own mean. */
const NAMES = [
  'webhook',
  'status',
  'by',
  'days',
  'actor',
  'action',
  'target',
  'after',
  'before',
  'q',
  'state',
] as const;
type SettingsName = (typeof NAMES)[number];

export type SettingsSearch = Readonly<Partial<Record<SettingsName, string>>>;

const MAX_TEXT = 200;

/** Reads the state of a part from an address. */
export function parseSettingsSearch(given: Readonly<Record<string, unknown>>): SettingsSearch {
  const entries = NAMES.map((name) => [name, textOf(given[name])] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim().slice(0, MAX_TEXT).trim();
  return text === '' ? undefined : text;
}

/** Value of a parameter if it is one of those that are known. */
export function choiceOf<Choice extends string>(
  value: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === value);
}
