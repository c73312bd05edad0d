import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { clew } from '../api/client.ts';
import { findingsKey } from '../api/queries.ts';
import { refreshFindings } from '../triage/use-merge.ts';
import { Button } from '../ui/button.tsx';
import { notify } from '../ui/notices.tsx';
import { useChange } from '../ui/use-change.ts';

interface TakeOutProps {
  readonly projectId: string;
  /** Finding that was merged into another one. */
  readonly findingId: string;
}

/** Takes a Finding out of the one into which it was merged. */
export function TakeOut({ projectId, findingId }: TakeOutProps): ReactNode {
  const client = useQueryClient();
  const unmerge = useChange(() => clew.findings.unmerge(findingId, { project: projectId }), {
    invalidates: [[...findingsKey(projectId), 'one']],
    onDone: () => {
      notify('It is a Finding of its own again');
      void refreshFindings(client, projectId);
    },
  });
  return (
    <Button
      look="quiet"
      className="h-6 px-1.5 text-xs"
      isDisabled={unmerge.isPending}
      onPress={() => unmerge.mutate(undefined)}
    >
      Take it out
    </Button>
  );
}
