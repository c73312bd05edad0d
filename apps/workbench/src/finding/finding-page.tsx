import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { findingQuery, meQuery, occurrencesQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { useCommands } from '../commands/use-commands.ts';
import { TriageBar } from '../triage/triage-bar.tsx';
import { useTriage } from '../triage/use-triage.tsx';
import { SeverityMark, StatusBadge } from '../ui/badges.tsx';
import { CommandButton, Keys } from '../ui/button.tsx';
import { besideInList, isInList } from '../ui/list-place.ts';
import { notify } from '../ui/notices.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Loaded } from '../ui/states.tsx';
import { UpLink } from '../ui/up-link.tsx';
import { CauseColumn } from './cause-column.tsx';
import { occurrenceBeside, orderedOccurrences, type Occurrences } from './occurrences.ts';
import { OccurrenceView } from './occurrence-view.tsx';
import { TakeOut } from './take-out.tsx';
import { WorkColumn } from './work-column.tsx';

const route = getRouteApi('/p/$projectId/findings/$findingId');

/** Screen 3: one Finding, from its cause to its repair. */
export function FindingPage(): ReactNode {
  const { projectId, findingId } = route.useParams();
  const finding = useQuery(findingQuery(projectId, findingId));
  return (
    <Loaded query={finding} title="Finding" label="The Finding is being read" lines={10}>
      {(data) => <FindingView key={findingId} projectId={projectId} finding={data} />}
    </Loaded>
  );
}

interface ViewProps {
  readonly projectId: string;
  readonly finding: Api.Finding;
}

function FindingView({ projectId, finding }: ViewProps): ReactNode {
  const { data: me } = useQuery(meQuery);
  const triage = useTriage(projectId);
  const mayWrite = me !== undefined && may(me, projectId, 'project:diagnostics:write');
  const mayCollect = me !== undefined && may(me, projectId, 'project:data:write');
  const occurrences = useOccurrences(projectId, finding);
  useFindingCommands(finding);
  const navigate = useNavigate();
  const open = (findingId: string) =>
    void navigate({ to: '/p/$projectId/findings/$findingId', params: { projectId, findingId } });
  return (
    <>
      <PageHead
        title={finding.title}
        trail={<UpLink to="/p/$projectId/findings" params={{ projectId }} label="To the list of Findings" />}
      >
        {mayWrite && finding.mergedInto === null ? (
          <TriageBar {...{ projectId, triage }} findings={[finding]} onMerged={(_ids, targetId) => open(targetId)} />
        ) : null}
      </PageHead>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 pb-2.5">
        <SeverityMark severity={finding.severity} />
        <StatusBadge status={finding.reviewStatus} />
        <StatusBadge status={finding.resolutionStatus} />
        <span className="text-xs text-muted">
          {finding.metadata.categoryKey.replaceAll('_', ' ')} ·{' '}
          <span className="font-mono">{finding.metadata.diagnosticRule.ruleKey}</span>
        </span>
        {finding.mergedInto === null ? null : (
          <span className="flex items-center gap-1.5 text-xs">
            <Link
              to="/p/$projectId/findings/$findingId"
              params={{ projectId, findingId: finding.mergedInto }}
              className="underline"
            >
              Merged into another Finding
            </Link>
            {mayWrite ? <TakeOut projectId={projectId} findingId={finding.id} /> : null}
          </span>
        )}
        <Beside {...{ projectId }} findingId={finding.id} />
      </div>
      <div className="flex min-h-0 flex-1 overflow-auto max-lg:flex-col lg:overflow-hidden">
        <CauseColumn {...{ projectId, finding, occurrences, mayWrite }} />
        <OccurrenceView key={occurrences.chosenId} {...{ projectId, finding, occurrences, mayCollect }} />
        <WorkColumn {...{ projectId, finding, mayWrite }} />
      </div>
    </>
  );
}

function useOccurrences(projectId: string, finding: Api.Finding): Occurrences {
  const { conversation } = route.useSearch();
  const navigate = useNavigate();
  const list = useInfiniteQuery(occurrencesQuery(projectId, finding.id));
  const all = orderedOccurrences(list.data?.pages.flatMap(({ data }) => data) ?? [], finding.conversationId);
  const chosenId = conversation ?? all[0]?.conversationId ?? finding.conversationId;
  const choose = (conversationId: string) =>
    void navigate({
      to: '/p/$projectId/findings/$findingId',
      params: { projectId, findingId: finding.id },
      search: { conversation: conversationId },
      replace: true,
    });
  const step = (by: 1 | -1) => () => {
    const next = occurrenceBeside(all, chosenId, by);
    if (next !== undefined) choose(next.conversationId);
  };
  useCommands({ 'occurrence.next': step(1), 'occurrence.previous': step(-1) });
  return {
    ...{ all, chosenId, choose },
    error: list.error,
    isLoading: list.isPending,
    readMore: list.hasNextPage ? () => void list.fetchNextPage() : undefined,
  };
}

/** Ways to the neighbours in the list that one came from, so that a review goes on where it is. */
function Beside({ projectId, findingId }: { readonly projectId: string; readonly findingId: string }): ReactNode {
  const navigate = useNavigate();
  const go = (by: 1 | -1) => () => {
    const besideId = besideInList(findingId, by);
    if (besideId === undefined)
      notify(by === 1 ? 'This is the last one of the list' : 'This is the first one of the list');
    else void navigate({ to: '/p/$projectId/findings/$findingId', params: { projectId, findingId: besideId } });
  };
  if (!isInList(findingId)) return null;
  return (
    <span className="ml-auto flex items-center gap-1">
      <CommandButton look="quiet" command="item.previous" onPress={go(-1)}>
        Previous Finding <Keys command="item.previous" />
      </CommandButton>
      <CommandButton look="quiet" command="item.next" onPress={go(1)}>
        Next Finding <Keys command="item.next" />
      </CommandButton>
    </span>
  );
}

function useFindingCommands({ id }: Api.Finding): void {
  useCommands({
    'page.up': () => history.back(),
    'id.copy': () => {
      navigator.clipboard.writeText(id).then(
        () => notify('The id is copied'),
        () => notify(id),
      );
    },
  });
}
