import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { conversationCountQuery } from '../api/queries.ts';
import { fullTime } from '../text/format.ts';
import { FacetMenu, type FacetValue } from '../ui/facet-menu.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { TextFilter } from '../ui/text-filter.tsx';
import {
  conversationFilters,
  parseConversationsSearch,
  withoutFilter,
  type ConversationFilter,
  type ConversationsSearch,
} from './conversations-search.ts';

interface FiltersProps {
  readonly projectId: string;
  readonly search: ConversationsSearch;
  readonly onSearch: (search: ConversationsSearch) => void;
}

export const FILTER_LABELS: Readonly<Record<ConversationFilter, string>> = {
  q: 'the words',
  agent: 'Agent',
  model: 'Model',
  userId: 'User',
  tool: 'Tool',
  flagged: 'Findings',
  failed: 'Errors',
  state: 'State',
  span: 'Time',
  from: 'the window of time',
  to: 'the window of time',
};

const CHOICES = {
  span: [
    { value: 'day', label: 'Last 24 hours' },
    { value: 'week', label: 'Last 7 days' },
    { value: 'month', label: 'Last 30 days' },
  ],
  flagged: [
    { value: 'yes', label: 'With a Finding' },
    { value: 'no', label: 'Without a Finding' },
  ],
  failed: [
    { value: 'yes', label: 'With an error' },
    { value: 'no', label: 'Without an error' },
  ],
  state: [
    { value: 'active', label: 'Active' },
    { value: 'ready', label: 'Ready' },
  ],
} as const;
type Choosable = keyof typeof CHOICES;

/** Names by which the API counts, of the filters that are counted. */
const COUNTED: Readonly<Partial<Record<Choosable, 'hasFinding' | 'hasError' | 'state'>>> = {
  flagged: 'hasFinding',
  failed: 'hasError',
  state: 'state',
};
const COUNTED_VALUES: Readonly<Record<string, string>> = { yes: 'true', no: 'false' };
const TEXT_FILTERS = ['agent', 'model', 'tool', 'userId'] as const;

/** Filters of the list of conversations. */
export function ConversationFilters({ projectId, search, onSearch }: FiltersProps): ReactNode {
  const [nowMs] = useState(Date.now);
  const { data } = useQuery(
    conversationCountQuery(projectId, {
      ...conversationFilters(withoutFilter(withoutFilter(withoutFilter(search, 'flagged'), 'failed'), 'state'), nowMs),
      by: 'state,hasError,hasFinding',
    }),
  );
  const valuesOf = (name: Choosable): FacetValue[] => {
    const field = COUNTED[name];
    const counts = field === undefined ? undefined : data?.counts[field];
    return CHOICES[name].map(({ value, label }) => {
      const found = counts?.find((each) => each.value === (COUNTED_VALUES[value] ?? value));
      return { value, label, count: counts === undefined ? undefined : (found?.count ?? 0) };
    });
  };
  const set = (name: ConversationFilter, value: string | undefined) =>
    onSearch(parseConversationsSearch({ ...search, [name]: value }));
  return (
    <div className="flex flex-wrap items-center gap-1.5 px-4 py-2">
      <SearchBox label="Search in messages" value={search.q ?? ''} onChange={(q) => set('q', q)} />
      {(Object.keys(CHOICES) as Choosable[]).map((name) => (
        <FacetMenu
          key={name}
          title={FILTER_LABELS[name]}
          values={valuesOf(name)}
          chosen={search[name] === undefined ? [] : [search[name]]}
          onChoose={(value) => set(name, value === search[name] ? undefined : value)}
          onClear={() => set(name, undefined)}
        />
      ))}
      {TEXT_FILTERS.map((name) => (
        <TextFilter
          key={name}
          title={FILTER_LABELS[name]}
          value={search[name]}
          onChange={(value) => set(name, value)}
        />
      ))}
      {search.from === undefined || search.to === undefined ? null : (
        <FacetMenu
          title="From"
          values={[{ value: 'window', label: `${fullTime(search.from)} to ${fullTime(search.to)}` }]}
          chosen={['window']}
          onChoose={() => onSearch(withoutFilter(search, 'from'))}
          onClear={() => onSearch(withoutFilter(search, 'from'))}
        />
      )}
    </div>
  );
}
