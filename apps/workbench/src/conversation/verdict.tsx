import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { percent, sentence } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';

/** How a conversation went, as Rules or a model judge it, if any has yet. */
export function Verdict({ diagnosis }: { readonly diagnosis: Api.ConversationDiagnosis | null }): ReactNode {
  if (diagnosis === null || diagnosis.score === null)
    return <p className="text-muted">It has not been diagnosed yet.</p>;
  const { score, scoreSource, reviewWaiting } = diagnosis;
  return (
    <>
      <p>
        It went wrong with a likelihood of <strong className="font-semibold tabular-nums">{percent(score)}</strong>
        <span className="text-muted">{scoreSource?.kind === 'review' ? ', as a model read it.' : ', by Rules.'}</span>
      </p>
      {scoreSource?.kind === 'review' ? (
        <p className="mt-1 text-muted">
          {sentence(scoreSource.verdict)}. The user wanted: <HostileText text={scoreSource.wanted} />
        </p>
      ) : null}
      {reviewWaiting === undefined ? null : <p className="mt-1 text-muted">A model is still to read it.</p>}
    </>
  );
}
