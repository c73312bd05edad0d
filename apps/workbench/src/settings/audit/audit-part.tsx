import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { clew } from '../../api/client.ts';
import { membersQuery, meQuery } from '../../api/queries.ts';
import { useChange } from '../../ui/use-change.ts';
import { visibleText } from '../../text/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { InlineSelect } from '../../ui/inline-select.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { FilteredEmpty, Loaded } from '../../ui/states.tsx';
import { TextFilter } from '../../ui/text-filter.tsx';
import { auditQuery, keysQuery } from '../queries.ts';
import type { PartProps } from '../part-props.ts';
import { parseSettingsSearch, type SettingsSearch } from '../settings-search.ts';
import { actionText, AREAS, auditFilter, linesOfEntries } from './audit-filter.ts';
import { AuditTable } from './audit-table.tsx';

const MOST_EXPORTED = 20_000;
const PAGE = 500;

/** Record of who has administered what, when and from where. */
export default function AuditPart({ projectId, search, onSearch }: PartProps): ReactNode {
  const { data: me } = useQuery(meQuery);
  const isWhole = search.state === 'workspace' && me?.owner === true;
  const filter = auditFilter(search);
  const audit = useInfiniteQuery(auditQuery(isWhole ? undefined : projectId, filter));
  const save = useChange(
    () =>
      isWhole
        ? clew.audit.list({ ...filter, limit: PAGE }).toArray({ max: MOST_EXPORTED })
        : clew.audit.listOfProject({ ...filter, limit: PAGE, project: projectId }).toArray({ max: MOST_EXPORTED }),
    {
      invalidates: [],
      onDone: (entries) => {
        saveFile('audit.jsonl', 'application/x-ndjson', linesOfEntries(entries));
        if (entries.length === MOST_EXPORTED)
          notify(`The file ends after ${MOST_EXPORTED} entries; choose fewer days.`);
      },
    },
  );
  const set = (change: SettingsSearch) => onSearch(parseSettingsSearch({ ...search, ...change }));
  return (
    <Panel
      title={isWhole ? 'Audit of the workspace' : 'Audit of the project'}
      hint="Each entry was written with the deed that it records, and nobody can change it."
      aside={
        <>
          {me?.owner === true ? (
            <InlineSelect
              label="Of what"
              value={isWhole ? 'workspace' : 'project'}
              onChange={(value) => set({ state: value === 'workspace' ? value : undefined })}
              options={[
                { id: 'project', label: 'This project' },
                { id: 'workspace', label: 'Whole workspace' },
              ]}
            />
          ) : null}
          <Button isDisabled={save.isPending} onPress={() => save.mutate(undefined)}>
            {save.isPending ? 'Being read…' : 'Export JSONL'}
          </Button>
        </>
      }
    >
      <AuditFilters {...{ projectId, search, set }} />
      <Loaded
        query={{ ...audit, data: audit.data?.pages.flatMap(({ data }) => data) }}
        label="The audit is being read"
        lines={8}
      >
        {(entries) =>
          entries.length > 0 ? (
            <AuditTable {...{ projectId, entries }} />
          ) : Object.keys(filter).length === 0 ? (
            <p className="text-muted">Nothing was administered yet.</p>
          ) : (
            <FilteredEmpty noun="entries" onClearAll={() => onSearch({ state: search.state })} />
          )
        }
      </Loaded>
      <LoadMore {...audit} />
    </Panel>
  );
}

interface FiltersProps {
  readonly projectId: string;
  readonly search: SettingsSearch;
  readonly set: (change: SettingsSearch) => void;
}

function AuditFilters({ projectId, search, set }: FiltersProps): ReactNode {
  const { data: members = [] } = useQuery(membersQuery(projectId));
  const { data: keys = [] } = useQuery(keysQuery(projectId));
  const known = [
    ...members.map(({ userId, name }) => ({ id: userId, label: visibleText(name) })),
    ...keys.map(({ id, name }) => ({ id, label: visibleText(`Key ${name}`) })),
    { id: 'bootstrap', label: 'The set-up' },
  ];
  const { actor = '', action = '', target, after = '', before = '' } = search;
  const isKnown = actor === '' || known.some(({ id }) => id === actor);
  return (
    <div className="mb-3 flex flex-wrap items-center gap-1.5">
      <InlineSelect
        label="About"
        value={action}
        onChange={(value) => set({ action: value })}
        options={[{ id: '', label: 'About everything' }, ...AREAS.map((id) => ({ id, label: actionText(id) }))]}
      />
      <InlineSelect
        label="By"
        value={actor}
        onChange={(value) => set({ actor: value })}
        options={[{ id: '', label: 'By anybody' }, ...known, ...(isKnown ? [] : [{ id: actor, label: actor }])]}
      />
      <TextFilter title="Done to the id" value={target} onChange={(value) => set({ target: value ?? '' })} />
      <DayField label="From" value={after} onChange={(value) => set({ after: value })} />
      <DayField label="Until" value={before} onChange={(value) => set({ before: value })} />
    </div>
  );
}

interface DayFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function DayField({ label, value, onChange }: DayFieldProps): ReactNode {
  return (
    <label className="flex items-center gap-1.5 text-muted">
      {label}
      <input
        type="date"
        value={value}
        className="h-7 rounded-md border border-line-strong bg-surface px-1.5 text-ink"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}
