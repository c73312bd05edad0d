import { useState, type ReactNode } from 'react';
import { AlertTriangle, Bot, CircleDot, Flag, Search, Settings2, User, Wrench } from 'lucide-react';
import type { Api } from '@clew/sdk';
import { count, duration } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import type { MarkKind, QuoteField } from '../text/marks.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { evidenceAt, KIND_LABELS, rangesIn, type Evidence } from './evidence.ts';
import { MarkedText } from './marked-text.tsx';

export interface MessageCardProps {
  readonly message: Api.ConversationMessage;
  readonly evidence: readonly Evidence[];
  readonly currentId: string | undefined;
  readonly onChoose?: (evidenceId: string) => void;
}

/** Characters beyond which a text is cut until somebody asks for all of it. */
const LONG = 4_000;
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
export function MessageCard({ message, evidence, currentId, onChoose }: MessageCardProps): ReactNode {
  const here = evidenceAt(message.index, evidence);
  const gravest = here[0];
  const Icon = ROLE_ICONS[message.role];
  return (
    <article
      id={`step-${message.index}`}
      aria-label={`Step ${message.index + 1}, ${message.role}`}
      tabIndex={-1}
      className={cx(
        'message-card scroll-my-16 rounded-md border border-line bg-surface outline-none',
        gravest !== undefined && `border-l-4 ${KIND_EDGES[gravest.kind]}`,
        here.some(({ id, stepIndex }) => id === currentId && stepIndex === message.index) && 'ring-2 ring-focus',
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
        <span className="ml-auto flex gap-3 tabular-nums">
          <MessageFigures message={message} />
          <span title={`Step ${message.index + 1}`}>{message.index + 1}</span>
        </span>
      </header>
      {here.length === 0 ? null : (
        <div className="flex flex-col gap-1 px-3 pt-2">
          {here.map((each) => (
            <EvidenceNote key={each.id} evidence={each} isCurrent={each.id === currentId} onChoose={onChoose} />
          ))}
        </div>
      )}
      <MessageBody message={message} evidence={evidence} currentId={currentId} isMarked={here.length > 0} />
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

interface BodyProps extends Omit<MessageCardProps, 'onChoose'> {
  readonly isMarked: boolean;
}

function MessageBody({ message, evidence, currentId, isMarked }: BodyProps): ReactNode {
  const { content, reasoning, toolCalls = [], attachments = [], error, textExpired, length, role } = message;
  const field = (text: string, name: QuoteField) => (
    <LongText text={text} isWhole={isMarked}>
      {(shown) => (
        <MarkedText text={shown} ranges={rangesIn(shown, message.index, name, evidence)} currentId={currentId} />
      )}
    </LongText>
  );
  const isFolded = (role === 'system' || role === 'tool') && content.length > 280 && !isMarked;
  return (
    <div className="flex flex-col gap-2 px-3 pt-1.5 pb-3 text-base">
      {textExpired === undefined ? null : (
        <p className="text-sm text-muted italic">
          {length === undefined
            ? 'The words have expired or were never stored.'
            : `The words were never stored (${count(length)} characters).`}
        </p>
      )}
      {reasoning === undefined || reasoning === '' ? null : (
        <Folded title="Reasoning" isOpen={isMarked}>
          {field(reasoning, 'reasoning')}
        </Folded>
      )}
      {content === '' ? null : isFolded ? (
        <Folded title={`${role === 'tool' ? 'Result' : 'Prompt'}, ${count(content.length)} characters`} isOpen={false}>
          {field(content, 'content')}
        </Folded>
      ) : (
        <div className={cx('hostile', role === 'tool' && 'font-mono text-xs')}>{field(content, 'content')}</div>
      )}
      {toolCalls.map((call, at) => (
        <div key={call.id ?? at} className="rounded border border-line bg-sunken px-2.5 py-2 font-mono text-xs">
          <div className="mb-1 flex items-center gap-1.5 font-semibold">
            <Wrench aria-hidden className="size-3" /> <HostileText text={call.name} />
          </div>
          <div className="hostile text-muted">
            <Arguments {...{ call, evidence, currentId, isMarked }} messageIndex={message.index} />
          </div>
        </div>
      ))}
      {attachments.length === 0 ? null : (
        <p className="text-xs text-muted">{attachments.length} attachments, which are not shown here</p>
      )}
      {error === undefined ? null : (
        <p className="rounded bg-critical-soft px-2 py-1.5 font-mono text-xs text-critical">
          <HostileText text={`${error.type}: ${error.message}`} />
        </p>
      )}
    </div>
  );
}

interface ArgumentsProps {
  readonly call: Api.ToolCall;
  readonly messageIndex: number;
  readonly evidence: readonly Evidence[];
  readonly currentId: string | undefined;
  readonly isMarked: boolean;
}

/** Arguments of a tool call: as the JSON text in which quotes stand if there are any, else in lines. */
function Arguments({ call, messageIndex, evidence, currentId, isMarked }: ArgumentsProps): ReactNode {
  const compact = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});
  const ranges = rangesIn(compact, messageIndex, 'arguments', evidence);
  if (ranges.length > 0) return <MarkedText text={compact} ranges={ranges} currentId={currentId} />;
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {}, null, 2);
  return (
    <LongText text={text} isWhole={isMarked}>
      {(shown) => <MarkedText text={shown} ranges={[]} currentId={undefined} />}
    </LongText>
  );
}

interface FoldedProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

function Folded({ title, isOpen, children }: FoldedProps): ReactNode {
  return (
    <details open={isOpen} className="rounded border border-line bg-sunken px-2.5 py-1.5 text-sm">
      <summary className="text-xs text-muted">{title}</summary>
      <div className="hostile mt-2 text-sm">{children}</div>
    </details>
  );
}

interface LongTextProps {
  readonly text: string;
  /** Whether nothing is cut, since something in it is marked. */
  readonly isWhole: boolean;
  readonly children: (shown: string) => ReactNode;
}

function LongText({ text, isWhole, children }: LongTextProps): ReactNode {
  const [isAll, setAll] = useState(false);
  if (isAll || isWhole || text.length <= LONG) return children(text);
  return (
    <>
      {children(`${text.slice(0, LONG)}…`)}
      <Button className="mt-2 block font-sans" onPress={() => setAll(true)}>
        Show all {count(text.length)} characters
      </Button>
    </>
  );
}
