import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { occurrenceCountsQuery } from '../api/queries.ts';
import { count, counted } from '../text/format.ts';
import { filled } from '../text/series.ts';
import { Bars } from '../ui/bars.tsx';
import { chartWindow } from './occurrences.ts';

interface OverTimeProps {
  readonly projectId: string;
  readonly finding: Pick<Api.Finding, 'id' | 'firstDetectedAt' | 'occurrenceCount'>;
}

/** Occurrences of a Finding by day. */
export function OverTime({ projectId, finding }: OverTimeProps): ReactNode {
  const window = chartWindow(finding.firstDetectedAt, Date.now());
  const { data, error } = useQuery(occurrenceCountsQuery(projectId, finding.id, window));
  if (error !== null) return <p className="text-muted">{error.message}</p>;
  if (data === undefined) return <div className="skeleton h-16" />;
  const shown = data.counts.reduce((sum, { occurrences }) => sum + occurrences, 0);
  const days = Math.round((window.endMs - window.startMs) / window.intervalMs);
  return (
    <Bars
      label="Occurrences by day"
      summary={`${counted(shown, 'conversation')} in ${days} days, ${count(finding.occurrenceCount)} in all`}
      valueName="conversations"
      bars={filled(window, data.counts, (startMs) => ({ startMs, occurrences: 0 })).map(({ startMs, occurrences }) => ({
        startMs,
        value: occurrences,
      }))}
      height={48}
    />
  );
}
