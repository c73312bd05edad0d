import { useQuery } from '@tanstack/react-query';
import { signalsQuery } from '../api/queries.ts';
import { useLater } from '../ui/use-later.ts';

/** Signals of a project, for which every service is asked: only once the page has shown something. */
export function useSignals(projectId: string) {
  const isLater = useLater();
  return useQuery({ ...signalsQuery(projectId), enabled: isLater });
}
