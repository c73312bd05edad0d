import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { useReadOn } from '../ui/use-read-on.ts';
import { meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { SEVERITY_CELL } from '../ui/badges.tsx';
import { Button, CommandButton } from '../ui/button.tsx';
import { Grid, type GridColumn } from '../ui/grid.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { cursorWithout } from '../ui/selection.ts';
import { FirstUse, Loaded, withData } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { checkText } from './check-form.ts';
import { ExpectationView } from './expectation-view.tsx';
import { EXPECTATION_VIEWS, parseExpectationsSearch, type ExpectationsSearch } from './expectations-search.ts';
import { NewExpectationDialog } from './new-expectation-dialog.tsx';
import { expectationsKey, expectationsQuery } from './queries.ts';
import { useStatusChange } from './use-status-change.tsx';

const route = getRouteApi('/p/$projectId/expectations');

const LABELS = { proposed: 'Proposed', active: 'Active', off: 'Off' } as const;

/** Screen 13: what agents were told, checked at every step. */
export function ExpectationsPage(): ReactNode {
  const { projectId } = route.useParams();
  // The router also gives parameters that no page knows.
  const search = parseExpectationsSearch(route.useSearch());
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const [isMaking, setMaking] = useState(false);
  const mayWrite = me !== undefined && may(me, projectId, 'project:diagnostics:write');
  const onSearch = (next: ExpectationsSearch, replace = false) =>
    void navigate({ to: '/p/$projectId/expectations', params: { projectId }, search: next, replace });
  const { view = 'proposed' } = search;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead title="Expectations">
        {mayWrite ? <Button onPress={() => setMaking(true)}>New Expectation</Button> : null}
        <CommandButton
          command="list.refresh"
          look="quiet"
          aria-label="Read again"
          onPress={() => void client.resetQueries({ queryKey: expectationsKey(projectId) })}
        >
          <RotateCw aria-hidden className="size-3.5" />
        </CommandButton>
      </PageHead>
      <Tabs
        label="Views"
        tabs={EXPECTATION_VIEWS.map((id) => ({ id, label: LABELS[id] }))}
        chosen={view}
        onChoose={(next) => onSearch({ view: next })}
      />
      <Queue key={view} {...{ projectId, search, onSearch, mayWrite }} />
      {isMaking ? (
        <NewExpectationDialog
          projectId={projectId}
          onClose={() => setMaking(false)}
          onMade={(made) => {
            setMaking(false);
            onSearch({ view: made.status, id: made.id });
          }}
        />
      ) : null}
    </div>
  );
}

interface QueueProps {
  readonly projectId: string;
  readonly search: ExpectationsSearch;
  readonly onSearch: (search: ExpectationsSearch, replace?: boolean) => void;
  readonly mayWrite: boolean;
}

function Queue({ projectId, search, onSearch, mayWrite }: QueueProps): ReactNode {
  const { view = 'proposed' } = search;
  const changeStatus = useStatusChange(projectId);
  const list = useInfiniteQuery(expectationsQuery(projectId, view));
  const { hasNextPage } = list;
  const onNearEnd = useReadOn(list);
  const rows = list.data?.pages.flatMap(({ data }) => data);
  return (
    <Loaded query={withData(list, rows)} label="Expectations are being read" lines={8}>
      {(all) => {
        const chosen = all.find(({ id }) => id === search.id) ?? all[0];
        if (chosen === undefined) return <Nothing view={view} />;
        const leave = () => {
          const ids = all.map(({ id }) => id);
          const next = cursorWithout(ids, chosen.id, new Set([chosen.id]));
          onSearch({ view, ...(next === null ? {} : { id: next }) }, true);
        };
        return (
          <div className="flex min-h-0 flex-1 max-lg:flex-col">
            <div className="flex min-h-40 flex-col border-line lg:w-96 lg:shrink-0 lg:border-r">
              <Grid
                label="Expectations"
                rows={all}
                columns={COLUMNS}
                idOf={({ id }) => id}
                state={{ cursor: chosen.id, selected: new Set() }}
                onState={({ cursor }) => onSearch({ ...search, ...(cursor === null ? {} : { id: cursor }) }, true)}
                onOpen={({ id }) => onSearch({ ...search, id }, true)}
                total={hasNextPage ? undefined : all.length}
                isMoreComing={hasNextPage}
                onNearEnd={onNearEnd}
                rowHeight={56}
              />
            </div>
            <ExpectationView
              key={chosen.id}
              {...{ projectId, mayWrite }}
              expectation={chosen}
              onStatus={(next) => {
                changeStatus(chosen, next);
                leave();
              }}
              onLeft={leave}
            />
          </div>
        );
      }}
    </Loaded>
  );
}

const COLUMNS: readonly GridColumn<Api.Expectation>[] = [
  {
    id: 'statement',
    header: 'Expectation',
    track: 'minmax(0,1fr)',
    cell: ({ statement, check }) => (
      <>
        <HostileText className="block truncate font-medium" text={statement} />
        <HostileText className="block truncate text-xs text-muted" text={checkText(check)} />
      </>
    ),
  },
  { id: 'severity', header: 'Severity', track: '6rem', ...SEVERITY_CELL },
];

function Nothing({ view }: { readonly view: (typeof EXPECTATION_VIEWS)[number] }): ReactNode {
  if (view === 'active') {
    return (
      <FirstUse title="None is active">
        Active Expectations are checked at every step of every conversation. They come from the prompts of your agents,
        or are written here.
      </FirstUse>
    );
  }
  if (view === 'off') return <FirstUse title="None is off">Those that were switched off are kept here.</FirstUse>;
  return (
    <FirstUse title="Nothing waits for you">
      Instructions that are found in the prompts of your agents, and that can be checked, wait here until somebody
      activates them.
    </FirstUse>
  );
}
