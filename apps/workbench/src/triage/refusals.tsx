import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { BASE } from '../api/client.ts';
import { HostileText } from '../text/hostile-text.tsx';
import type { Outcome } from './changes.ts';

interface RefusalsProps {
  readonly refused: readonly Outcome[];
  readonly findings: readonly Pick<Api.Finding, 'id' | 'title'>[];
  readonly projectId: string;
}

/** Findings that were not changed, each with the reason. */
export function Refusals({ refused, findings, projectId }: RefusalsProps): ReactNode {
  const titles = new Map(findings.map(({ id, title }) => [id, title]));
  return (
    <ul className="mt-1 max-h-40 overflow-auto text-xs">
      {refused.map(({ findingId, error }) => (
        <li key={findingId} className="py-0.5">
          <a className="underline" href={new URL(`p/${projectId}/findings/${findingId}`, BASE).href}>
            <HostileText text={titles.get(findingId) ?? findingId} />
          </a>
          <span className="text-muted">: {error?.message ?? 'refused'}</span>
        </li>
      ))}
    </ul>
  );
}
