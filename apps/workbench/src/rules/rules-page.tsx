import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { count, sentence } from '../text/format.ts';
import { Time } from '../text/time.tsx';
import { Badge } from '../ui/badges.tsx';
import { buttonClass, CommandButton, Keys } from '../ui/button.tsx';
import { Grid, type GridColumn } from '../ui/grid.tsx';
import { useListPlace } from '../ui/list-place.ts';
import { PageHead } from '../ui/page-head.tsx';
import { FirstUse, Loaded } from '../ui/states.tsx';
import { rulesKey, rulesQuery } from './queries.ts';
import { RuleSwitch } from './rule-switch.tsx';

const route = getRouteApi('/p/$projectId/rules');

/** Screen 13: the Rules that look for problems in conversations. */
export function RulesPage(): ReactNode {
  const { projectId } = route.useParams();
  const rules = useQuery(rulesQuery(projectId));
  const client = useQueryClient();
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead title="Rules">
        <Link to="/p/$projectId/expectations" params={{ projectId }} className={buttonClass()}>
          Expectations <Keys command="go.expectations" />
        </Link>
        <CommandButton
          command="list.refresh"
          look="quiet"
          aria-label="Read again"
          onPress={() => void client.resetQueries({ queryKey: rulesKey(projectId) })}
        >
          <RotateCw aria-hidden className="size-3.5" />
        </CommandButton>
      </PageHead>
      <Loaded query={rules} label="Rules are being read" lines={12}>
        {(all) =>
          all.length === 0 ? (
            <FirstUse title="No Rules">This deployment has none. They come with the diagnosis.</FirstUse>
          ) : (
            <RuleRows projectId={projectId} rules={all} />
          )
        }
      </Loaded>
    </div>
  );
}

function RuleRows({
  projectId,
  rules,
}: {
  readonly projectId: string;
  readonly rules: readonly Api.Rule[];
}): ReactNode {
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const mayWrite = me !== undefined && may(me, projectId, 'project:diagnostics:write');
  const place = useListPlace(
    `rules ${projectId}`,
    rules.map(({ ruleId }) => ruleId),
  );
  const columns = useMemo(() => ruleColumns(projectId, mayWrite), [projectId, mayWrite]);
  const on = rules.filter(({ enabled }) => enabled).length;
  return (
    <>
      <p className="border-y border-line bg-surface px-4 py-1.5 text-xs text-muted tabular-nums">
        {count(on)} of {count(rules.length)} Rules are on. Each looks for one kind of problem in every conversation that
        ends.
      </p>
      <Grid
        label="Rules"
        rows={rules}
        columns={columns}
        idOf={({ ruleId }) => ruleId}
        state={place.state}
        onState={place.setState}
        total={rules.length}
        isMoreComing={false}
        onNearEnd={undefined}
        rowHeight={56}
        initialOffset={place.offset}
        onOffset={place.setOffset}
        onOpen={({ ruleId }) => void navigate({ to: '/p/$projectId/rules/$ruleId', params: { projectId, ruleId } })}
      />
    </>
  );
}

function ruleColumns(projectId: string, mayWrite: boolean): GridColumn<Api.Rule>[] {
  return [
    {
      id: 'name',
      header: 'Rule',
      track: 'minmax(16rem,3fr)',
      cell: ({ ruleId, name, description }) => (
        <>
          <Link
            to="/p/$projectId/rules/$ruleId"
            params={{ projectId, ruleId }}
            tabIndex={-1}
            className="font-medium hover:underline"
          >
            {name}
          </Link>
          <span className="block truncate text-xs text-muted" title={description}>
            {description}
          </span>
        </>
      ),
    },
    { id: 'category', header: 'Category', track: '10rem', cell: ({ categoryKey }) => sentence(categoryKey) },
    {
      id: 'signals',
      header: 'Signals',
      track: '4.5rem',
      className: 'tabular-nums',
      cell: ({ signals }) => count(signals.length),
    },
    {
      id: 'judge',
      header: 'Adjudication',
      track: '11rem',
      cell: ({ configuration: { adjudicationMode } }) =>
        adjudicationMode === 'auto' ? 'By a model, if available' : 'Off',
    },
    {
      id: 'changed',
      header: 'Changed here',
      track: '7.5rem',
      cell: ({ updatedAt }) =>
        updatedAt === null ? <span className="text-muted">Never</span> : <Time atMs={updatedAt} />,
    },
    {
      id: 'on',
      header: 'On',
      track: '4.5rem',
      cell: (rule) =>
        mayWrite ? (
          <RuleSwitch projectId={projectId} rule={rule} isInRow />
        ) : (
          <Badge tone={rule.enabled ? 'ok' : 'info'}>{rule.enabled ? 'On' : 'Off'}</Badge>
        ),
    },
  ];
}
