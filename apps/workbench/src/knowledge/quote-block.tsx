import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { HostileText } from '../text/hostile-text.tsx';
import { placeOf, type MarkRange } from '../text/marks.ts';
import { Time } from '../text/time.tsx';
import { MarkedText } from '../transcript/marked-text.tsx';
import { Badge } from '../ui/badges.tsx';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { messageOf } from '../ui/problem.ts';
import { messagesAroundQuery } from './queries.ts';
import { windowAround } from './quote-window.ts';

type Message = Api.ConversationMessage;

interface QuoteProps {
  readonly projectId: string;
  readonly evidence: Api.KnowledgeItemEvidence;
  readonly number: number;
  readonly of: number;
}

/** Quote that backs an item, in its message, with two messages before and two after. */
export function QuoteBlock({ projectId, evidence, number, of }: QuoteProps): ReactNode {
  const { conversationId, messageIndex, quote, isCurrent } = evidence;
  const around = useQuery(messagesAroundQuery(projectId, conversationId, messageIndex));
  const messages = around.data?.messages.filter(({ index }) => Math.abs(index - messageIndex) <= 2) ?? [];
  const said = messages.find(({ index }) => index === messageIndex);
  return (
    <article
      aria-label={`Quote ${number} of ${of}`}
      className="overflow-hidden rounded-md border border-line bg-surface"
    >
      <header className="flex flex-wrap items-center gap-x-2 border-b border-line bg-sunken px-3 py-1.5 text-xs text-muted">
        <span className="font-semibold text-ink">
          Quote {number} of {of}
        </span>
        <span>step {messageIndex + 1}</span>
        {said === undefined ? null : <Time atMs={said.atMs} />}
        {isCurrent ? null : <Badge tone="medium">The conversation no longer says so</Badge>}
        <Link
          to="/p/$projectId/conversations/$conversationId"
          params={{ projectId, conversationId }}
          search={{ step: messageIndex }}
          className="ml-auto max-w-48 truncate underline"
        >
          Open the conversation
        </Link>
      </header>
      {said === undefined ? (
        <QuoteAlone quote={quote} error={around.error} isRead={around.isSuccess} />
      ) : (
        <ol className="divide-y divide-line">
          {messages.map((message) => (
            <MessageRow key={message.index} message={message} evidence={evidence} />
          ))}
        </ol>
      )}
    </article>
  );
}

interface AloneProps {
  readonly quote: string;
  readonly error: Error | null;
  readonly isRead: boolean;
}

/** Quote without its messages: they are being read, or are no longer there. */
function QuoteAlone({ quote, error, isRead }: AloneProps): ReactNode {
  const text = error !== null ? messageOf(error) : isRead ? 'The messages around it have expired.' : undefined;
  return (
    <div className="px-3 py-2.5">
      <mark className="mark mark-evidence hostile text-base">
        <HostileText text={quote} />
      </mark>
      {text === undefined ? null : <p className="mt-1.5 text-xs text-muted">{text}</p>}
    </div>
  );
}

const MARGIN = 420;
const CONTEXT = 240;

function MessageRow({ message, evidence }: { readonly message: Message; readonly evidence: QuoteProps['evidence'] }) {
  const isQuoted = message.index === evidence.messageIndex;
  return (
    <li className={cx('flex gap-3 px-3 py-2', isQuoted ? 'border-l-4 border-l-medium' : 'text-muted')}>
      <span className="w-16 shrink-0 pt-0.5 text-xs">
        <span className={cx('block capitalize', isQuoted && 'font-semibold')}>{message.role}</span>
        {message.name === undefined ? null : <HostileText className="block truncate font-mono" text={message.name} />}
      </span>
      <div className={cx('hostile min-w-0 flex-1', isQuoted ? 'text-base' : 'text-sm')}>
        <MessageText message={message} evidence={isQuoted ? evidence : undefined} />
      </div>
    </li>
  );
}

interface TextProps {
  readonly message: Message;
  readonly evidence: QuoteProps['evidence'] | undefined;
}

function MessageText({ message: { content, textExpired, toolCalls = [] }, evidence }: TextProps): ReactNode {
  const [isAll, setAll] = useState(false);
  if (textExpired !== undefined) return <span className="italic">The words have expired or were never stored.</span>;
  if (content === '') {
    return <span className="font-mono text-xs">{toolCalls.map(({ name }) => `${name}(…)`).join(', ')}</span>;
  }
  const place = evidence === undefined ? undefined : placeOf(content, evidence);
  const shown = windowAround(content, place ?? { start: 0, end: 0 }, isAll ? content.length : place ? MARGIN : CONTEXT);
  const range: MarkRange[] =
    place === undefined
      ? []
      : [{ start: place.start - shown.start, end: place.end - shown.start, kind: 'evidence', evidenceId: 'quote' }];
  return (
    <>
      {shown.isCutBefore ? '… ' : ''}
      <MarkedText text={shown.text} ranges={range} currentId={undefined} />
      {shown.isCutAfter ? ' … ' : ''}
      {shown.isCutBefore || shown.isCutAfter ? (
        <Button look="quiet" className="h-5 px-1 text-xs" onPress={() => setAll(true)}>
          Show all
        </Button>
      ) : null}
    </>
  );
}
