import type { CatalogQuery } from './queries.ts';

export const CATEGORIES = ['chat', 'embedding', 'transcription', 'reranking', 'vision', 'other'] as const;
const FORMATS = ['gguf', 'safetensors', 'ctranslate2'] as const;
const MAX_TEXT = 200;
const PAGE = 50;

/** State of the catalog, all of which is in the address. */
export interface ModelsSearch {
  readonly search?: string;
  readonly installed?: 'true';
  readonly category?: (typeof CATEGORIES)[number];
  readonly format?: (typeof FORMATS)[number];
  /** Part of the page; without it, the catalog. */
  readonly tab?: 'providers' | 'settings';
}

/** Reads the state from an address; whatever the API would refuse is left out. */
export function parseModelsSearch(given: Readonly<Record<string, unknown>>): ModelsSearch {
  const { search, installed, category, format, tab } = given;
  const text = typeof search === 'string' ? search.trim().slice(0, MAX_TEXT).trim() : '';
  const state: ModelsSearch = {
    search: text === '' ? undefined : text,
    installed: installed === 'true' ? installed : undefined,
    category: CATEGORIES.find((each) => each === category),
    format: FORMATS.find((each) => each === format),
    tab: tab === 'providers' || tab === 'settings' ? tab : undefined,
  };
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined));
}

/** Query of the catalog for a state. */
export function catalogOf({ search, installed, category, format }: ModelsSearch): CatalogQuery {
  return {
    ...(search === undefined ? {} : { search }),
    ...(installed === undefined ? {} : { installed: true }),
    ...(category === undefined ? {} : { category }),
    ...(format === undefined ? {} : { format }),
    limit: PAGE,
  };
}

/** Whether a filter of the catalog is set. */
export function isFiltered({ tab: _tab, ...filters }: ModelsSearch): boolean {
  return Object.keys(filters).length > 0;
}
