import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { percent } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';

/** Step at which the trouble may have begun, with who acted there and why it is suspected. */
export function Suspect({ suspect }: { readonly suspect: Api.ConversationDiagnosis['suspects'][number] }): ReactNode {
  const { stepIndex, agent, because, score } = suspect;
  return (
    <>
      <span className="font-semibold text-suspect">
        Step {stepIndex + 1}
        {agent === '' ? null : (
          <>
            , <HostileText text={agent} />
          </>
        )}
      </span>{' '}
      <span className="text-muted tabular-nums">{percent(score)}</span>
      <span className="block">
        <HostileText text={because} />
      </span>
    </>
  );
}
