import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { conversationQuery, diagnosisQuery } from '../api/queries.ts';
import { AddToDataset } from '../examples/add-to-dataset.tsx';
import { fullTime } from '../text/format.ts';
import { evidenceBeside, gatherEvidence, openingEvidence, wrongStep, type Evidence } from '../transcript/evidence.ts';
import { useStepAddress } from '../transcript/use-step-address.ts';
import { Transcript } from '../transcript/transcript.tsx';
import { CommandButton, Keys } from '../ui/button.tsx';
import { FirstUse, Loaded } from '../ui/states.tsx';
import type { Occurrences } from './occurrences.ts';

interface OccurrenceProps {
  readonly projectId: string;
  readonly finding: Api.Finding;
  readonly occurrences: Occurrences;
  /** Whether the person may write Examples. */
  readonly mayCollect: boolean;
}

/** Middle column: the transcript of the chosen occurrence, at the step with which it may have begun. */
export function OccurrenceView({ projectId, finding, occurrences, mayCollect }: OccurrenceProps): ReactNode {
  const { chosenId, all } = occurrences;
  const conversation = useQuery(conversationQuery(projectId, chosenId));
  const diagnosis = useQuery(diagnosisQuery(projectId, chosenId));
  const occurrence = all.find(({ conversationId }) => conversationId === chosenId);
  const isSettled = !diagnosis.isPending && !occurrences.isLoading;
  const evidence = gatherEvidence({
    findingId: occurrence?.findingId ?? finding.id,
    diagnosis: diagnosis.data ?? undefined,
    occurrence,
    evidence: chosenId === finding.conversationId ? finding.evidence : [],
  });
  return (
    <section aria-label="Occurrence" className="flex min-h-96 min-w-0 flex-1 flex-col lg:min-h-0">
      <Loaded
        query={{ ...conversation, data: isSettled ? conversation.data : undefined }}
        label="The conversation is being read"
        lines={10}
      >
        {(data) => <OccurrenceTranscript {...{ projectId, evidence, mayCollect }} conversation={data} />}
      </Loaded>
    </section>
  );
}

interface TranscriptProps {
  readonly projectId: string;
  readonly conversation: Api.Conversation;
  readonly evidence: readonly Evidence[];
  readonly mayCollect: boolean;
}

function OccurrenceTranscript({ projectId, conversation, evidence, mayCollect }: TranscriptProps): ReactNode {
  const [currentId, setCurrentId] = useState(() => openingEvidence(evidence)?.id);
  const current = evidence.find(({ id }) => id === currentId);
  const walk = (by: 1 | -1) => () => setCurrentId(evidenceBeside(evidence, currentId, by)?.id);
  const addressOf = useStepAddress(projectId, conversation.id);
  const at = evidence.findIndex(({ id }) => id === currentId);
  return (
    <>
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1 text-xs text-muted">
        <Link
          to="/p/$projectId/conversations/$conversationId"
          params={{ projectId, conversationId: conversation.id }}
          className="max-w-56 truncate font-mono hover:underline"
        >
          {conversation.id}
        </Link>
        <span title={fullTime(conversation.startedAt)}>{conversation.messages.length} messages</span>
        <span className="ml-auto flex items-center gap-1.5">
          {mayCollect && conversation.messages.length > 0 ? (
            <AddToDataset {...{ projectId, conversation }} step={wrongStep(evidence, currentId)} />
          ) : null}
          {evidence.length === 0 ? (
            'No evidence is left in this conversation'
          ) : (
            <>
              <span aria-live="polite" className="tabular-nums">
                Evidence {at + 1} of {evidence.length}
              </span>
              <CommandButton look="quiet" command="evidence.previous" onPress={walk(-1)}>
                Previous <Keys command="evidence.previous" />
              </CommandButton>
              <CommandButton look="quiet" command="evidence.next" onPress={walk(1)}>
                Next <Keys command="evidence.next" />
              </CommandButton>
            </>
          )}
        </span>
      </div>
      {conversation.messages.length === 0 ? (
        <FirstUse title="The messages have expired">
          Retention has removed them. What was quoted as evidence stays with the Finding, in the column on the left.
        </FirstUse>
      ) : (
        <Transcript
          messages={conversation.messages}
          evidence={evidence}
          stepIndex={current?.stepIndex}
          currentId={currentId}
          onChoose={setCurrentId}
          addressOf={addressOf}
        />
      )}
    </>
  );
}
