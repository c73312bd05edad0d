import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { findingQuery, occurrencesQuery } from '../api/queries.ts';
import { OverTime } from '../finding/over-time.tsx';
import { WhatMayHelp } from '../finding/what-may-help.tsx';
import { count } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { SeverityMark, StatusBadge } from '../ui/badges.tsx';
import { buttonClass, Keys } from '../ui/button.tsx';
import { PeekPanel } from '../ui/peek-panel.tsx';
import { Section } from '../ui/section.tsx';
import { Loaded, withData } from '../ui/states.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { quotesOf } from './quotes.ts';

interface PeekProps {
  readonly projectId: string;
  readonly findingId: string;
  /** The Finding as the list has it. */
  readonly row: Api.Finding | undefined;
  readonly onClose: () => void;
}

const SHOWN_OCCURRENCES = 5;

/** Gist of a Finding beside the list. */
export function FindingPeek({ projectId, findingId, row, onClose }: PeekProps): ReactNode {
  const finding = useQuery({ ...findingQuery(projectId, findingId), enabled: row === undefined });
  return (
    <PeekPanel
      title="Finding"
      onClose={onClose}
      link={
        <Link
          to="/p/$projectId/findings/$findingId"
          params={{ projectId, findingId }}
          className={buttonClass('quiet', 'h-6 px-1.5 text-xs')}
        >
          Open <Keys command="list.open" />
        </Link>
      }
    >
      <Loaded query={{ ...finding, data: row ?? finding.data }} label="The Finding is being read" lines={6}>
        {(data) => <Gist projectId={projectId} finding={data} />}
      </Loaded>
    </PeekPanel>
  );
}

function Gist({ projectId, finding }: { readonly projectId: string; readonly finding: Api.Finding }): ReactNode {
  const isSettled = useSettled(finding.id) === finding.id;
  return (
    <>
      <div className="flex flex-col gap-2 border-b border-line px-4 py-3">
        <div className="flex flex-wrap items-center gap-2">
          <SeverityMark severity={finding.severity} />
          <StatusBadge status={finding.reviewStatus} />
          {finding.resolutionStatus === 'unresolved' ? null : <StatusBadge status={finding.resolutionStatus} />}
          <span className="ml-auto text-xs text-muted">
            last seen <Time atMs={finding.lastDetectedAt} />
          </span>
        </div>
        <h2 className="text-base font-semibold">
          <HostileText text={finding.title} />
        </h2>
        <p>
          <HostileText text={finding.summary} />
        </p>
      </div>
      <Section title="Cause">
        <p>
          <HostileText text={finding.causeAssessment} />
        </p>
      </Section>
      <Quotes finding={finding} />
      <WhatMayHelp finding={finding} />
      <Section title="Occurrences" aside={count(finding.occurrenceCount)}>
        {isSettled ? (
          <>
            <OverTime projectId={projectId} finding={finding} />
            <Occurrences projectId={projectId} finding={finding} />
          </>
        ) : (
          <div className="skeleton h-40" />
        )}
      </Section>
    </>
  );
}

function Quotes({ finding }: { readonly finding: Api.Finding }): ReactNode {
  const { quotes, more } = quotesOf(finding);
  if (quotes.length === 0) return null;
  return (
    <Section title="Evidence">
      <ul className="flex flex-col gap-1.5">
        {quotes.map(({ quote, stepIndex }, at) => (
          <li key={at}>
            <blockquote className="hostile line-clamp-6 rounded-r border-l-2 border-l-medium bg-medium-soft px-2 py-1">
              <HostileText text={quote} />
            </blockquote>
            <p className="mt-0.5 text-xs text-muted">step {stepIndex + 1}</p>
          </li>
        ))}
      </ul>
      {more === 0 ? null : <p className="mt-1 text-xs text-muted">and {count(more)} more</p>}
    </Section>
  );
}

function Occurrences({ projectId, finding }: { readonly projectId: string; readonly finding: Api.Finding }): ReactNode {
  const list = useInfiniteQuery(occurrencesQuery(projectId, finding.id));
  const first = list.data?.pages[0]?.data.slice(0, SHOWN_OCCURRENCES);
  return (
    <Loaded query={withData(list, first)} label="Occurrences are being read" lines={3}>
      {(occurrences) => (
        <ul className="mt-2 flex flex-col gap-1.5">
          {occurrences.map(({ conversationId, conversationStartedAt, summary }) => (
            <li key={conversationId} className="flex items-baseline gap-2 text-xs">
              <Link
                to="/p/$projectId/findings/$findingId"
                params={{ projectId, findingId: finding.id }}
                search={{ conversation: conversationId }}
                className="min-w-0 flex-1 truncate hover:underline"
              >
                <HostileText text={summary === '' ? conversationId : summary} />
              </Link>
              <Time atMs={conversationStartedAt} className="shrink-0 text-muted" />
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}
