import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { conversationQuery, diagnosisQuery, meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { useCommands } from '../commands/use-commands.ts';
import { AddToDataset } from '../examples/add-to-dataset.tsx';
import { count, counted, duration } from '../text/format.ts';
import { Time } from '../text/time.tsx';
import { evidenceBeside, gatherEvidence, wrongStep } from '../transcript/evidence.ts';
import { useStepAddress } from '../transcript/use-step-address.ts';
import { Transcript } from '../transcript/transcript.tsx';
import { besideInList } from '../ui/list-place.ts';
import { notify } from '../ui/notices.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { FirstUse, Loaded } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { UpLink } from '../ui/up-link.tsx';
import { DiagnosisColumn } from './diagnosis-column.tsx';
import { EraseButton } from './erase-button.tsx';
import { RawView } from './raw-view.tsx';
import { ScoresView } from './scores-view.tsx';
import type { ConversationTab } from './tabs.ts';
import { StepsView } from './steps-view.tsx';
import { TracesView } from './traces-view.tsx';

const route = getRouteApi('/p/$projectId/conversations/$conversationId');
const TABS = [
  { id: 'transcript', label: 'Transcript' },
  { id: 'steps', label: 'Steps' },
  { id: 'traces', label: 'Traces' },
  { id: 'scores', label: 'Scores' },
  { id: 'raw', label: 'Raw' },
] as const;

/** Screen 5: one conversation. */
export function ConversationPage(): ReactNode {
  const { projectId, conversationId } = route.useParams();
  const conversation = useQuery(conversationQuery(projectId, conversationId));
  return (
    <Loaded query={conversation} title="Conversation" label="The conversation is being read" lines={10}>
      {(data) => <ConversationView key={conversationId} projectId={projectId} conversation={data} />}
    </Loaded>
  );
}

interface ViewProps {
  readonly projectId: string;
  readonly conversation: Api.Conversation;
}

function ConversationView({ projectId, conversation }: ViewProps): ReactNode {
  const { step, tab = 'transcript', find } = route.useSearch();
  const navigate = useNavigate();
  const diagnosis = useQuery(diagnosisQuery(projectId, conversation.id, conversation.snapshotId !== null));
  const { data: me } = useQuery(meQuery);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const evidence = useMemo(() => shownEvidence(diagnosis.data, hidden), [diagnosis.data, hidden]);
  const [currentId, setCurrentId] = useState<string>();
  const current = evidence.find(({ id }) => id === currentId);
  const walk = (by: 1 | -1) => () => setCurrentId(evidenceBeside(evidence, currentId, by)?.id);
  const go = (search: { step?: number; tab?: ConversationTab }) =>
    void navigate({
      to: '/p/$projectId/conversations/$conversationId',
      params: { projectId, conversationId: conversation.id },
      // A step that is chosen is shown instead of the words by which the conversation was found.
      search: find === undefined || search.step !== undefined ? search : { ...search, find },
      replace: true,
    });
  const mayWrite = me !== undefined && may(me, projectId, 'project:data:write');
  const addressOf = useStepAddress(projectId, conversation.id);
  useConversationCommands({ projectId, id: conversation.id, find }, evidence.length > 0 ? walk : undefined);
  return (
    <>
      <PageHead
        title={conversation.preview === '' ? conversation.id : conversation.preview}
        trail={<UpLink to="/p/$projectId/conversations" params={{ projectId }} label="To the list of conversations" />}
      >
        {mayWrite && conversation.messages.length > 0 ? (
          <AddToDataset {...{ projectId, conversation }} step={step ?? wrongStep(evidence, currentId)} />
        ) : null}
        {mayWrite ? <EraseButton projectId={projectId} conversationId={conversation.id} /> : null}
      </PageHead>
      <Figures conversation={conversation} />
      <Tabs
        label="Parts"
        tabs={TABS}
        chosen={tab}
        onChoose={(each) => go(each === 'transcript' ? {} : { tab: each })}
      />
      <div className="flex min-h-0 flex-1 overflow-auto max-lg:flex-col lg:overflow-hidden">
        <div className="flex min-h-96 min-w-0 flex-1 flex-col lg:min-h-0">
          {tab === 'transcript' ? (
            conversation.messages.length === 0 ? (
              <NoMessages conversation={conversation} />
            ) : (
              <Transcript
                messages={conversation.messages}
                evidence={evidence}
                stepIndex={current?.stepIndex ?? step}
                sought={find}
                currentId={currentId}
                onChoose={setCurrentId}
                addressOf={addressOf}
              />
            )
          ) : null}
          {tab === 'steps' ? <StepsView conversation={conversation} onStep={(index) => go({ step: index })} /> : null}
          {tab === 'traces' ? <TracesView {...{ projectId, conversation }} /> : null}
          {tab === 'scores' ? <ScoresView conversation={conversation} /> : null}
          {tab === 'raw' ? <RawView conversation={conversation} /> : null}
        </div>
        <DiagnosisColumn
          {...{ projectId, diagnosis, hidden }}
          onToggle={(findingId) => setHidden(toggledSet(hidden, findingId))}
          onStep={(index) => {
            setCurrentId(evidence.find(({ stepIndex }) => stepIndex === index)?.id);
            go({ step: index });
          }}
        />
      </div>
    </>
  );
}

function shownEvidence(diagnosis: Api.ConversationDiagnosis | null | undefined, hidden: ReadonlySet<string>) {
  if (diagnosis === undefined || diagnosis === null) return [];
  const symptoms = diagnosis.symptoms.filter(({ findingId }) => !hidden.has(findingId));
  return gatherEvidence({ diagnosis: { suspects: diagnosis.suspects, symptoms } });
}

function toggledSet(set: ReadonlySet<string>, value: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

function Figures({ conversation }: { readonly conversation: Api.Conversation }): ReactNode {
  const { state, startedAt, lastActivityAt, messageCount, errorCount, usage, agents, models } = conversation;
  const facts = [
    counted(messageCount, 'message'),
    ...(errorCount === 0 ? [] : [counted(errorCount, 'error')]),
    `${count(usage.inputTokens + usage.outputTokens)} tokens`,
    duration(Math.max(0, lastActivityAt - startedAt)),
    ...agents,
    ...models,
  ];
  return (
    <p className="truncate px-4 pb-1 text-xs text-muted max-sm:whitespace-normal">
      <span className="capitalize">{state}</span> · <Time atMs={startedAt} /> · <bdi>{facts.join(' · ')}</bdi>
    </p>
  );
}

function NoMessages({ conversation }: { readonly conversation: Api.Conversation }): ReactNode {
  return conversation.state === 'active' ? (
    <FirstUse title="Still going on">
      The messages are shown once nothing has been said for a while, which makes a snapshot.
    </FirstUse>
  ) : (
    <FirstUse title="The messages have expired">Retention has removed them, or nothing was said.</FirstUse>
  );
}

function useConversationCommands(
  { projectId, id, find }: { projectId: string; id: string; find: string | undefined },
  walk: ((by: 1 | -1) => () => void) | undefined,
): void {
  const navigate = useNavigate();
  const beside = (by: 1 | -1) => () => {
    const conversationId = besideInList(id, by);
    if (conversationId === undefined)
      notify(by === 1 ? 'This is the last one of the list' : 'This is the first one of the list');
    else
      void navigate({
        to: '/p/$projectId/conversations/$conversationId',
        params: { projectId, conversationId },
        search: find === undefined ? {} : { find },
      });
  };
  useCommands({
    'page.up': () => history.back(),
    'item.next': beside(1),
    'item.previous': beside(-1),
    'evidence.next': walk?.(1),
    'evidence.previous': walk?.(-1),
    'id.copy': () => {
      navigator.clipboard.writeText(id).then(
        () => notify('The id is copied'),
        () => notify(id),
      );
    },
  });
}
