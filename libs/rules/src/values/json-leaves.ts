import { readJson } from '@clew/kernel';

/** Scalar inside a JSON value, and its place. */
export interface JsonLeaf {
  /** Nearest key above it; in lists, the key of the list. Empty if there is none. */
  readonly key: string;
  /** Keys from the outside in, without list positions. */
  readonly path: string;
  readonly value: string | number | boolean;
}

const MAX_LEAVES = 5000;
const MAX_DEPTH = 12;

/** Collects the scalars of a JSON value, in order; of a very large or deep value, the first ones. */
export function jsonLeaves(value: unknown): JsonLeaf[] {
  const leaves: JsonLeaf[] = [];
  collect(value, '', '', 0, leaves);
  return leaves;
}

function collect(value: unknown, key: string, path: string, depth: number, leaves: JsonLeaf[]): void {
  if (leaves.length >= MAX_LEAVES || depth > MAX_DEPTH) return;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    leaves.push({ key, path, value });
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, key, path, depth + 1, leaves);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      collect(item, name, path === '' ? name : `${path}.${name}`, depth + 1, leaves);
    }
  }
}

/** Parses the JSON in a text; undefined if it is not JSON, or too long to be parsed in passing. */
export function parseJson(text: string, maxLength = 200_000): unknown {
  const first = text.trimStart().charAt(0);
  if ((first !== '{' && first !== '[') || text.length > maxLength) return undefined;
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}
