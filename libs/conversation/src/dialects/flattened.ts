import { MAX_MESSAGES_PER_SPAN } from './limits.ts';
import type { JsonRecord } from './values.ts';

/** Entries of one index of a flattened list, by the rest of their key. */
export type FlattenedItem = Map<string, unknown>;

// An index has at most nine digits, so that it is always an exact array position or map key.
const INDEX = /^\d{1,9}$/;

/** Splits the part of a key after its prefix into `<index>.<rest>`; undefined if it has another form. */
export function splitIndex(suffix: string): { index: number; rest: string } | undefined {
  const dot = suffix.indexOf('.');
  const digits = dot === -1 ? suffix : suffix.slice(0, dot);
  if (!INDEX.test(digits)) return undefined;
  return { index: Number(digits), rest: dot === -1 ? '' : suffix.slice(dot + 1) };
}

/**
 * Collects lists that were flattened to `<prefix>.<index>.<rest>` keys, for several prefixes in one pass over the
 * attributes. Lists may be sparse and their indexes huge: only existing entries count, in the order of their index.
 */
export function flattenedLists<Prefix extends string>(
  attributes: JsonRecord,
  prefixes: readonly Prefix[],
): Map<Prefix, FlattenedItem[]> {
  const lists = new Map<Prefix, Map<number, FlattenedItem>>();
  for (const key of Object.keys(attributes)) {
    const prefix = prefixes.find((candidate) => key.startsWith(candidate) && key.charAt(candidate.length) === '.');
    if (prefix === undefined) continue;
    const position = splitIndex(key.slice(prefix.length + 1));
    if (position === undefined) continue;
    let list = lists.get(prefix);
    if (list === undefined) lists.set(prefix, (list = new Map()));
    put(list, position.index, position.rest, attributes[key]);
  }
  return new Map([...lists].map(([prefix, list]) => [prefix, inOrder(list)]));
}

/** Collects the list under one key prefix of an item: `tool_calls` from `tool_calls.0.id`, `tool_calls.1.id`. */
export function nestedList(item: FlattenedItem, prefix: string): FlattenedItem[] {
  const list = new Map<number, FlattenedItem>();
  for (const [key, value] of item) {
    if (!key.startsWith(prefix) || key.charAt(prefix.length) !== '.') continue;
    const position = splitIndex(key.slice(prefix.length + 1));
    if (position !== undefined) put(list, position.index, position.rest, value);
  }
  return inOrder(list);
}

function put(list: Map<number, FlattenedItem>, index: number, rest: string, value: unknown): void {
  const item = list.get(index);
  if (item === undefined) list.set(index, new Map([[rest, value]]));
  else item.set(rest, value);
}

function inOrder(list: Map<number, FlattenedItem>): FlattenedItem[] {
  return [...list.entries()]
    .sort(([left], [right]) => left - right)
    .slice(0, MAX_MESSAGES_PER_SPAN)
    .map(([, item]) => item);
}
