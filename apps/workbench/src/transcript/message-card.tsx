import { useContext, type ReactNode } from 'react';
import { AlertTriangle, Bot, CircleDot, Flag, Search, Settings2, User, Wrench } from 'lucide-react';
import type { Api } from '@clew/sdk';
import { count, duration } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import type { MarkKind } from '../text/marks.ts';
import { cx } from '../ui/cx.ts';
import { evidenceAt, KIND_LABELS, type Evidence } from './evidence.ts';
import { MessageBody, MessageJson } from './message-body.tsx';
import { viewOf } from './message-views.ts';
import { StepLink } from './step-link.tsx';
import { TranscriptContext } from './transcript-context.ts';
import { MessageViewChoice } from './view-choice.tsx';

export interface MessageCardProps {
  readonly message: Api.ConversationMessage;
  readonly evidence: readonly Evidence[];
  readonly currentId: string | undefined;
  readonly onChoose?: (evidenceId: string) => void;
  /** Whether the address leads to it. */
  readonly isHere: boolean;
}

const KIND_ICONS: Readonly<Record<MarkKind, typeof Flag>> = { suspect: Search, symptom: Flag, evidence: CircleDot };
const KIND_EDGES: Readonly<Record<MarkKind, string>> = {
  suspect: 'border-l-suspect',
  symptom: 'border-l-critical',
  evidence: 'border-l-medium',
};
const KIND_INKS: Readonly<Record<MarkKind, string>> = {
  suspect: 'bg-suspect-soft text-suspect',
  symptom: 'bg-critical-soft text-critical',
  evidence: 'bg-medium-soft text-medium',
};
const ROLE_ICONS = { system: Settings2, user: User, assistant: Bot, tool: Wrench };

/** One message of a transcript, with what the Finding says of it. */
export function MessageCard({ message, evidence, currentId, onChoose, isHere }: MessageCardProps): ReactNode {
  const { addressOf, match, view: usual, chosen, choose } = useContext(TranscriptContext);
  const here = evidenceAt(message.index, evidence);
  const gravest = here[0];
  const isMarked = here.length > 0;
  const isCurrent = here.some(({ id, stepIndex }) => id === currentId && stepIndex === message.index);
  const view = viewOf({ index: message.index, isCurrent, isFound: match?.index === message.index }, usual, chosen);
  const Icon = ROLE_ICONS[message.role];
  return (
    <article
      id={`step-${message.index}`}
      aria-label={`Step ${message.index + 1}, ${message.role}`}
      tabIndex={-1}
      className={cx(
        'message-card group/card scroll-my-16 rounded-md border border-line bg-surface outline-none',
        gravest !== undefined && `border-l-4 ${KIND_EDGES[gravest.kind]}`,
        (isHere || isCurrent) && 'ring-2 ring-focus',
      )}
    >
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 pt-2 text-xs text-muted">
        <Icon aria-hidden className="size-3.5" />
        <span className="font-semibold text-ink capitalize">{message.role}</span>
        {message.name === undefined ? null : <HostileText className="truncate font-mono" text={message.name} />}
        {message.origin === undefined ? null : <span>· {message.origin}</span>}
        {message.error === undefined ? null : (
          <span className="inline-flex items-center gap-1 text-critical">
            <AlertTriangle aria-hidden className="size-3" /> failed
          </span>
        )}
        <span className="ml-auto flex flex-wrap items-center justify-end gap-x-3 tabular-nums">
          {choose === undefined ? null : (
            <MessageViewChoice step={message.index + 1} view={view} onChoose={(each) => choose(message.index, each)} />
          )}
          <MessageFigures message={message} />
          {addressOf === undefined ? (
            <span title={`Step ${message.index + 1}`}>{message.index + 1}</span>
          ) : (
            <StepLink step={message.index + 1} address={addressOf(message.index)} />
          )}
        </span>
      </header>
      {here.length === 0 ? null : (
        <div className="flex flex-col gap-1 px-3 pt-2">
          {here.map((each) => (
            <EvidenceNote key={each.id} evidence={each} isCurrent={each.id === currentId} onChoose={onChoose} />
          ))}
        </div>
      )}
      {view === 'json' ? (
        <MessageJson message={message} />
      ) : (
        <MessageBody {...{ message, evidence, currentId, isMarked }} isMarkdown={view === 'markdown'} />
      )}
      {isMarked && view !== 'text' ? (
        <p className="px-3 pb-2 text-xs text-muted">
          Marks of evidence are shown in the text alone.{' '}
          <button type="button" className="underline" onClick={() => choose?.(message.index, 'text')}>
            Show them
          </button>
        </p>
      ) : null}
    </article>
  );
}

function MessageFigures({ message: { model, usage, durationMs } }: { readonly message: Api.ConversationMessage }) {
  const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  return (
    <>
      {model === undefined ? null : <HostileText className="max-w-40 truncate font-mono" text={model} />}
      {tokens === 0 ? null : <span>{count(tokens)} tokens</span>}
      {durationMs === undefined ? null : <span>{duration(durationMs)}</span>}
    </>
  );
}

interface NoteProps {
  readonly evidence: Evidence;
  readonly isCurrent: boolean;
  readonly onChoose: ((evidenceId: string) => void) | undefined;
}

function EvidenceNote({ evidence: { id, kind, title, because }, isCurrent, onChoose }: NoteProps): ReactNode {
  const Icon = KIND_ICONS[kind];
  return (
    <button
      type="button"
      aria-current={isCurrent}
      className={cx('flex items-baseline gap-1.5 rounded px-1.5 py-1 text-left text-xs', KIND_INKS[kind])}
      onClick={() => onChoose?.(id)}
    >
      <Icon aria-hidden className="size-3 shrink-0 translate-y-0.5" />
      <span>
        <strong className="font-semibold">{KIND_LABELS[kind]}</strong> · <HostileText text={title} />
        {because === '' ? null : (
          <>
            {': '}
            <HostileText text={because} />
          </>
        )}
      </span>
    </button>
  );
}
