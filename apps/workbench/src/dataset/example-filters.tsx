import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { exampleCountQuery } from '../examples/queries.ts';
import { SPLITS, splitTag } from '../examples/payload-text.ts';
import { sentence } from '../text/format.ts';
import { FacetMenu, type FacetValue } from '../ui/facet-menu.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { TextFilter } from '../ui/text-filter.tsx';
import { SOURCE_LABELS } from './example-columns.tsx';
import type { TabProps } from './tab-props.ts';
import { exampleFilters, SOURCE_KINDS, withFilter, type ExampleFilter } from './dataset-search.ts';

export const FILTER_LABELS: Readonly<Record<ExampleFilter, string>> = {
  q: 'the words',
  tag: 'the tag',
  sourceKind: 'the source',
  conversationId: 'the conversation',
};

const SPLIT_TAGS: readonly string[] = SPLITS.map(splitTag);

/** Filters of the list of Examples. */
export function ExampleFilters({ projectId, dataset, search, onSearch }: TabProps): ReactNode {
  const { tag, sourceKind, conversationId } = search;
  const counts = (without: ExampleFilter) => {
    const { [without]: _, ...query } = exampleFilters(search);
    return query;
  };
  const byTag = useQuery(exampleCountQuery(projectId, dataset.id, { ...counts('tag'), by: 'tag,split' })).data?.counts;
  const bySource = useQuery(exampleCountQuery(projectId, dataset.id, { ...counts('sourceKind'), by: 'sourceKind' }))
    .data?.counts.sourceKind;
  const set = (name: ExampleFilter, value: string | undefined) => onSearch(withFilter(search, name, value));
  const tags: FacetValue[] = (byTag?.tag ?? [])
    .filter(({ value }) => !SPLIT_TAGS.includes(value))
    .map(({ value, count }) => ({ value, label: value, count }));
  const isSplit = tag !== undefined && SPLIT_TAGS.includes(tag);
  return (
    <div className="flex flex-wrap items-center gap-1.5 px-4 py-2">
      <SearchBox
        label="Search in Examples"
        value={search.q ?? ''}
        onChange={(q) => onSearch(withFilter({ ...search, q: undefined }, 'q', q))}
      />
      <FacetMenu
        title="Tag"
        values={tags}
        chosen={tag === undefined || isSplit ? [] : [tag]}
        onChoose={(value) => set('tag', value)}
        onClear={() => set('tag', tag)}
      />
      <FacetMenu
        title="Split"
        values={SPLITS.map((split) => ({
          value: splitTag(split),
          label: sentence(split),
          count: byTag === undefined ? undefined : (byTag.split?.find(({ value }) => value === split)?.count ?? 0),
        }))}
        chosen={isSplit ? [tag] : []}
        onChoose={(value) => set('tag', value)}
        onClear={() => set('tag', tag)}
      />
      <FacetMenu
        title="Source"
        values={SOURCE_KINDS.map((value) => ({
          value,
          label: SOURCE_LABELS[value],
          count: bySource === undefined ? undefined : (bySource.find((each) => each.value === value)?.count ?? 0),
        }))}
        chosen={sourceKind === undefined ? [] : [sourceKind]}
        onChoose={(value) => set('sourceKind', value)}
        onClear={() => set('sourceKind', sourceKind)}
      />
      <TextFilter
        title="Conversation"
        value={conversationId}
        onChange={(value) => onSearch(withFilter({ ...search, conversationId: undefined }, 'conversationId', value))}
      />
    </div>
  );
}
