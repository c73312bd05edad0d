import { mongo } from 'mongoose';
import type { CursorKey } from '@clew/kernel';
import type { OrderedRange } from '@clew/persistence';
import type { Branch, Conditions, OrderedWay } from './list-plan.ts';

type IndexKey = OrderedWay['index']['key'];

/** Place between two entries of an index, in the form that `min` and `max` of a query take. */
export type IndexPosition = Record<string, unknown>;

/** Values that come before and after all others. */
const [LOWEST, HIGHEST] = [new mongo.MinKey(), new mongo.MaxKey()];

/** Positions at which the rest of a branch begins and ends; `undefined` if nothing of it comes after the key. */
export function boundsAfter(
  { index: { key }, range: { from, before } }: OrderedWay,
  { prefix }: Branch,
  after: CursorKey | undefined,
): { min: IndexPosition; max: IndexPosition } | undefined {
  const first = Number(after?.[0]);
  if (from !== undefined && first < from) return undefined;
  const max = positionAfter(key, [...prefix, ...(from === undefined ? [] : [from])]);
  if (after !== undefined && (before === undefined || first < before)) {
    return { min: positionAfter(key, [...prefix, ...after]), max };
  }
  return { min: before === undefined ? positionBefore(key, prefix) : positionAfter(key, [...prefix, before]), max };
}

/** Position after all entries that begin with these values. */
function positionAfter(key: IndexKey, values: readonly unknown[]): IndexPosition {
  return positionAt(key, values, { '1': HIGHEST, '-1': LOWEST });
}

function positionBefore(key: IndexKey, values: readonly unknown[]): IndexPosition {
  return positionAt(key, values, { '1': LOWEST, '-1': HIGHEST });
}

function positionAt(
  key: IndexKey,
  values: readonly unknown[],
  others: Readonly<Record<'1' | '-1', unknown>>,
): IndexPosition {
  const fields = Object.entries(key);
  return Object.fromEntries(
    fields.map(([field, direction], index) => [field, index < values.length ? values[index] : others[direction]]),
  );
}

/** Limits of a number, as conditions have them. */
interface Limits {
  $gte?: number;
  $gt?: number;
  $lt?: number;
}

/**
 * Whether a range can hold anything that the filters leave. Where a step ends at a Finding outside of the filters, some
 * of its ranges contradict them, and the server would sort the nothing that it finds.
 */
export function canHold({ range }: OrderedRange, filters: Conditions): boolean {
  return Object.entries(range).every(([field, condition]) => {
    const limits = (filters[field] ?? {}) as Limits;
    if (limits.$gte === undefined && limits.$lt === undefined) return true;
    const { $gte: from = -Infinity, $lt: before = Infinity } = limits;
    if (typeof condition === 'number') return condition >= from && condition < before;
    const { $lt = Infinity, $gt = -Infinity } = condition as Limits;
    return $lt > from && $gt < before;
  });
}
