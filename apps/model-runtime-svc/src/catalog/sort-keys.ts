import type { CatalogSortField } from '@clew/contracts';
import type { CursorKey } from '@clew/kernel';
import { keysetKey, type KeysetSort } from '@clew/persistence';
import { type Model, modelSizeBytes } from '../shared/index.ts';

/** Keys by which the catalog is sorted; every model has all of them. */
export interface SortKeys {
  modelId: string;
  nameKey: string;
  downloadsKey: number;
  likesKey: number;
  updatedAtKey: number;
  sizeKey: number;
}

/** Key of an unknown value, which sorts before the smallest value. */
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

/** Sort by both fields in one direction, so that one index serves both directions. */
export function sortOf({ field, direction }: CatalogOrder): KeysetSort {
  const sign = direction === 'asc' ? 1 : -1;
  return [
    [KEY_OF_FIELD[field], sign],
    ['modelId', sign],
  ];
}

/** Returns the function that gives a model's key in a sort order. */
export function keyIn(sort: KeysetSort): (model: Model) => CursorKey {
  return (model) => keysetKey(sort, sortKeysOf(model));
}
