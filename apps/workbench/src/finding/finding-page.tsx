import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { findingQuery, meQuery, occurrencesQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { useCommands } from '../commands/use-commands.ts';
import { TriageBar } from '../triage/triage-bar.tsx';
import { useTriage } from '../triage/use-triage.tsx';
import { SeverityMark, StatusBadge } from '../ui/badges.tsx';
import { besideInList } from '../ui/list-place.ts';
import { notify } from '../ui/notices.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Loaded } from '../ui/states.tsx';
import { CauseColumn } from './cause-column.tsx';
import { occurrenceBeside, orderedOccurrences, type Occurrences } from './occurrences.ts';
import { OccurrenceView } from './occurrence-view.tsx';
import { WorkColumn } from './work-column.tsx';

const route = getRouteApi('/p/$projectId/findings/$findingId');

/** Screen 3: one Finding, from its cause to its repair. */
export function FindingPage(): ReactNode {
  const { projectId, findingId } = route.useParams();
  const finding = useQuery(findingQuery(projectId, findingId));
  return (
    <Loaded query={finding} label="The Finding is being read" lines={10}>
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
  const occurrences = useOccurrences(projectId, finding);
  useFindingCommands(projectId, finding);
  return (
    <>
      <PageHead
        title={finding.title}
        trail={
          <Link
            to="/p/$projectId/findings"
            params={{ projectId }}
            aria-label="To the list of Findings"
            className="rounded p-1 text-muted hover:bg-hover hover:text-ink"
          >
            <ChevronLeft aria-hidden className="size-4" />
          </Link>
        }
      >
        {mayWrite ? <TriageBar projectId={projectId} findings={[finding]} triage={triage} /> : null}
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
          <Link
            to="/p/$projectId/findings/$findingId"
            params={{ projectId, findingId: finding.mergedInto }}
            className="text-xs underline"
          >
            Merged into another Finding
          </Link>
        )}
      </div>
      <div className="flex min-h-0 flex-1 overflow-auto max-lg:flex-col lg:overflow-hidden">
        <CauseColumn {...{ projectId, finding, occurrences }} />
        <OccurrenceView key={occurrences.chosenId} {...{ projectId, finding, occurrences }} />
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

function useFindingCommands(projectId: string, { id }: Api.Finding): void {
  const navigate = useNavigate();
  const beside = (by: 1 | -1) => () => {
    const findingId = besideInList(id, by);
    if (findingId === undefined)
      notify(by === 1 ? 'This is the last one of the list' : 'This is the first one of the list');
    else void navigate({ to: '/p/$projectId/findings/$findingId', params: { projectId, findingId } });
  };
  useCommands({
    'page.up': () => history.back(),
    'item.next': beside(1),
    'item.previous': beside(-1),
    'id.copy': () => {
      navigator.clipboard.writeText(id).then(
        () => notify('The id is copied'),
        () => notify(id),
      );
    },
  });
}
