import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { setTabProgress } from '../ui/tab-title.ts';
import { isBusy } from './preparation.ts';
import { runtimeQuery } from './queries.ts';
import { hasWanted } from './wanted.ts';
import { modelWork, workText } from './work.ts';

/**
 * Progress of the node's work beside the entry of Models, and in the title of the tab. The node is asked only while it
 * is known to work, or this browser keeps that somebody waits for a model.
 */
export default function RailProgress({ projectId }: { readonly projectId: string }): ReactNode {
  const { data } = useQuery({
    ...runtimeQuery(projectId),
    enabled: ({ state }) => (state.data === undefined ? hasWanted(projectId) : isBusy(state.data)),
    // The title tells how far it is while one looks at another tab.
    refetchIntervalInBackground: true,
  });
  const text = data === undefined ? undefined : workText(modelWork(data));
  useEffect(() => {
    setTabProgress(text);
    return () => setTabProgress(undefined);
  }, [text]);
  if (text === undefined) return null;
  return (
    <span className="ml-auto text-xs font-normal text-accent tabular-nums">
      <span className="sr-only">The node works: </span>
      {text}
    </span>
  );
}
