import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { diagnosisQuery } from '../api/queries.ts';
import { count, percent } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { Suspect } from '../transcript/suspect.tsx';
import { SeverityMark } from '../ui/badges.tsx';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Section } from '../ui/section.tsx';
import { Problem, Skeleton } from '../ui/states.tsx';
import { occurrenceNames, type Occurrences } from './occurrences.ts';
import { SplitButton } from './split-button.tsx';
import { OverTime } from './over-time.tsx';
import { WhatMayHelp } from './what-may-help.tsx';

interface ColumnProps {
  readonly projectId: string;
  readonly finding: Api.Finding;
  readonly occurrences: Occurrences;
  readonly mayWrite: boolean;
}

const MAX_SUSPECTS = 3;

/** Left column: why it may have happened, how often, and in which conversations. */
export function CauseColumn({ projectId, finding, occurrences, mayWrite }: ColumnProps): ReactNode {
  return (
    <aside aria-label="Cause" className="shrink-0 overflow-auto border-r border-line bg-canvas lg:w-80">
      <Section title="What is wrong">
        <p className="text-base">
          <HostileText text={finding.summary} />
        </p>
      </Section>
      <Section title="Cause">
        <p>
          <HostileText text={finding.causeAssessment} />
        </p>
        <Suspects projectId={projectId} conversationId={occurrences.chosenId} />
      </Section>
      <WhatMayHelp finding={finding} />
      <Section title="Confidence">
        <Confidence finding={finding} />
      </Section>
      <Section title="Over time">
        <OverTime projectId={projectId} finding={finding} />
      </Section>
      <OccurrenceList {...{ projectId, finding, occurrences, mayWrite }} />
    </aside>
  );
}

function Suspects({
  projectId,
  conversationId,
}: {
  readonly projectId: string;
  readonly conversationId: string;
}): ReactNode {
  const { data } = useQuery(diagnosisQuery(projectId, conversationId));
  if (data === null) return <p className="mt-2 text-xs text-muted">This conversation has not been diagnosed yet.</p>;
  const suspects = data?.suspects.slice(0, MAX_SUSPECTS) ?? [];
  if (suspects.length === 0) return null;
  return (
    <ol className="mt-2 flex flex-col gap-1.5">
      {suspects.map((suspect) => (
        <li key={suspect.stepIndex} className="rounded bg-suspect-soft px-2 py-1.5 text-xs">
          <Suspect suspect={suspect} />
        </li>
      ))}
    </ol>
  );
}

function Confidence({ finding }: { readonly finding: Api.Finding }): ReactNode {
  const { confidenceSource: source, diagnosticConfidence, diagnosticScore } = finding;
  return (
    <p>
      Confidence {percent(diagnosticConfidence)}, diagnostic score {percent(diagnosticScore)}.{' '}
      <span className="text-muted">
        {source.kind === 'rules' ? (
          'Found by a Rule alone.'
        ) : (
          <>
            Read by <HostileText className="font-mono text-xs" text={source.model} />, which is right in{' '}
            {percent(source.accuracy)} of cases: <HostileText text={source.because} />
          </>
        )}
      </span>
    </p>
  );
}

function OccurrenceList({ projectId, finding, occurrences, mayWrite }: ColumnProps): ReactNode {
  const { all, chosenId, choose, readMore, error, isLoading } = occurrences;
  const names = occurrenceNames(all, finding.conversationId);
  const isSplittable = mayWrite && finding.mergedInto === null && all.length > 1;
  return (
    <Section
      title="Occurrences"
      aside={
        <span className="flex items-center gap-2">
          {isSplittable ? <SplitButton {...{ projectId, finding, occurrences }} /> : null}
          {count(finding.occurrenceCount)}
        </span>
      }
    >
      {error === null ? null : <Problem error={error} />}
      {isLoading ? <Skeleton label="Occurrences are being read" lines={3} /> : null}
      <ul className="-mx-2 flex flex-col">
        {all.map(({ findingId, conversationId, severity, conversationStartedAt, summary }) => (
          <li key={`${findingId} ${conversationId}`}>
            <button
              type="button"
              aria-current={conversationId === chosenId}
              className={cx(
                'flex w-full flex-col gap-0.5 rounded-md px-2 py-1.5 text-left hover:bg-hover',
                conversationId === chosenId && 'bg-chosen hover:bg-chosen',
              )}
              onClick={() => choose(conversationId)}
            >
              <span className="flex items-center gap-2 text-xs">
                <SeverityMark severity={severity} />
                {names.has(conversationId) ? <span className="text-accent">{names.get(conversationId)}</span> : null}
                <Time atMs={conversationStartedAt} className="ml-auto text-muted" />
              </span>
              <span className="line-clamp-2 text-xs text-muted">
                <HostileText text={summary} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {readMore === undefined ? null : (
        <Button look="quiet" onPress={readMore}>
          Show more
        </Button>
      )}
    </Section>
  );
}
