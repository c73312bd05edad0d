import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { conversationSeriesQuery } from '../api/queries.ts';
import { filledPoints } from './filled-points.ts';
import { counted, percent } from '../text/format.ts';
import { Bars } from '../ui/bars.tsx';
import { conversationWindow, type ConversationsSearch } from './conversations-search.ts';

interface ChartProps {
  readonly projectId: string;
  readonly search: ConversationsSearch;
  readonly onSearch: (search: ConversationsSearch) => void;
}

/** Conversations over time, above the list; a bar that is pressed becomes the window of the list. */
export function ConversationChart({ projectId, search, onSearch }: ChartProps): ReactNode {
  const [nowMs] = useState(Date.now);
  const window = conversationWindow(search, nowMs);
  const { data } = useQuery(conversationSeriesQuery(projectId, window));
  if (data === undefined) return <div className="mx-4 mb-2 h-20" />;
  const points = filledPoints(window, data);
  const all = points.reduce((sum, { conversations }) => sum + conversations, 0);
  const flagged = points.reduce((sum, each) => sum + each.flagged, 0);
  if (all === 0) return null;
  return (
    <div className="px-4 pb-2">
      <Bars
        label="Conversations over time"
        summary={`${counted(all, 'conversation')} started in this time, ${percent(flagged / all)} with a Finding`}
        valueName="conversations"
        markedName="with a Finding"
        height={44}
        intervalMs={window.intervalMs}
        bars={points.map(({ startMs, conversations, flagged: marked }) => ({ startMs, value: conversations, marked }))}
        onChoose={(startMs) => onSearch({ ...search, from: startMs, to: startMs + window.intervalMs })}
      />
    </div>
  );
}
