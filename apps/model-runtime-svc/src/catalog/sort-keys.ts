import type { CatalogSortField } from '@clew/contracts';
import type { KeysetSort } from '@clew/persistence';
import { type Model, modelSizeBytes } from '../shared/index.ts';

/** What the catalog is ordered by; every model has all of them. */
export interface SortKeys {
  modelId: string;
  nameKey: string;
  downloadsKey: number;
  likesKey: number;
  updatedAtKey: number;
  sizeKey: number;
}

/** What is not known comes before the smallest value. */
const UNKNOWN = -1;

export function sortKeysOf(model: Model): SortKeys {
  return {
    modelId: model.id,
    nameKey: model.name.toLowerCase(),
    downloadsKey: model.downloads ?? UNKNOWN,
    likesKey: model.likes ?? UNKNOWN,
    updatedAtKey: model.updatedAt ?? UNKNOWN,
    sizeKey: modelSizeBytes(model) ?? UNKNOWN,
  };
}

const KEY_OF_FIELD = {
  name: 'nameKey',
  downloads: 'downloadsKey',
  likes: 'likesKey',
  updatedAt: 'updatedAtKey',
  size: 'sizeKey',
} as const satisfies Record<CatalogSortField, keyof SortKeys>;

export interface CatalogOrder {
  field: CatalogSortField;
  direction: 'asc' | 'desc';
}

/** Both fields in one direction, so that one index serves both. */
export function keysetOf({ field, direction }: CatalogOrder): KeysetSort {
  const sign = direction === 'asc' ? 1 : -1;
  return [
    [KEY_OF_FIELD[field], sign],
    ['modelId', sign],
  ];
}

/** The order of two models as the database would have it. */
export function compareBy(sort: KeysetSort): (one: SortKeys, other: SortKeys) => number {
  return (one, other) => {
    for (const [field, direction] of sort) {
      const difference = compareValues(one[field as keyof SortKeys], other[field as keyof SortKeys]);
      if (difference !== 0) return difference * direction;
    }
    return 0;
  };
}

/** Texts by their UTF-8 bytes. */
function compareValues(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return Math.sign(one - other);
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}
