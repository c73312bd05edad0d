import type { CatalogQuery } from '@clew/contracts';
import type { Model } from '../shared/index.ts';

export interface CatalogFilter extends Pick<CatalogQuery, 'search' | 'category' | 'pipelineTag' | 'format'> {
  /** Restricts the list to these models. */
  modelIds?: ReadonlySet<string> | undefined;
}

/** Searched text: names and tags, one per line, so that no word matches across two of them. */
export function searchTextOf({ id, name, repoId, tags }: Pick<Model, 'id' | 'name' | 'repoId' | 'tags'>): string {
  return [id, name, repoId ?? '', ...tags].join('\n').toLowerCase();
}

function wordsOf(search: string): string[] {
  return [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))];
}

/** Whether a model matches the filter; equivalent to the database conditions of `conditionsOf`. */
export function matches(model: Model, filter: CatalogFilter): boolean {
  const { search, category, pipelineTag, format, modelIds } = filter;
  const text = searchTextOf(model);
  return (
    (search === undefined || wordsOf(search).every((word) => text.includes(word))) &&
    (category === undefined || model.category === category) &&
    (pipelineTag === undefined || model.pipelineTag === pipelineTag) &&
    (format === undefined || model.formats.includes(format)) &&
    (modelIds === undefined || modelIds.has(model.id))
  );
}

export function conditionsOf(projectId: string, filter: CatalogFilter): Record<string, unknown> {
  const { search, category, pipelineTag, format, modelIds } = filter;
  const words = search === undefined ? [] : wordsOf(search);
  return {
    projectId,
    ...(words.length === 0 ? {} : { $and: words.map((word) => ({ searchText: { $regex: escaped(word) } })) }),
    ...(category === undefined ? {} : { category }),
    ...(pipelineTag === undefined ? {} : { pipelineTag }),
    ...(format === undefined ? {} : { formats: format }),
    ...(modelIds === undefined ? {} : { modelId: { $in: [...modelIds] } }),
  };
}

/** Escapes a word, since the words of a search are plain text, not patterns. */
function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
