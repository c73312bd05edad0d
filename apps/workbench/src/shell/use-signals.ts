import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { signalsQuery } from '../api/queries.ts';

/** Time in which a page shows what it was opened for. */
const FIRST_SHOW_MS = 2_000;

/** Signals of a project, for which every service is asked: only once the page has shown something. */
export function useSignals(projectId: string) {
  const isLater = useLater();
  return useQuery({ ...signalsQuery(projectId), enabled: isLater });
}

let isLaterForAll = false;

/** Whether some time has passed since the first page was opened. */
function useLater(): boolean {
  const [isLater, setLater] = useState(isLaterForAll);
  useEffect(() => {
    if (isLater) return;
    const timer = setTimeout(() => {
      isLaterForAll = true;
      setLater(true);
    }, FIRST_SHOW_MS);
    return () => clearTimeout(timer);
  }, [isLater]);
  return isLater;
}
