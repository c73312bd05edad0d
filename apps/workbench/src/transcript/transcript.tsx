import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, type ReactNode, type RefObject } from 'react';
import type { Api } from '@clew/sdk';
import { cx } from '../ui/cx.ts';
import { evidenceAt, type Evidence } from './evidence.ts';
import { MessageCard } from './message-card.tsx';

export interface TranscriptProps {
  readonly messages: readonly Api.ConversationMessage[];
  readonly evidence: readonly Evidence[];
  /** Step to be at, and evidence to be outlined. */
  readonly stepIndex: number | undefined;
  readonly currentId: string | undefined;
  readonly onChoose?: (evidenceId: string) => void;
}

/** Messages up to which all are in the page: the browser's own search, selections and printing then work. */
const ALL_IN_PAGE = 300;

/** Transcript of a conversation, which scrolls by itself to the step that it is to show. */
export function Transcript(props: TranscriptProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const { messages } = props;
  return (
    <div className="flex min-h-0 flex-1">
      <div
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label="Transcript"
        className="min-h-0 flex-1 overflow-auto px-4 py-3 -outline-offset-2"
      >
        {messages.length <= ALL_IN_PAGE ? (
          <AllMessages {...props} scroller={scroller} />
        ) : (
          <NearMessages {...props} scroller={scroller} />
        )}
      </div>
      <Minimap {...props} />
    </div>
  );
}

interface MessagesProps extends TranscriptProps {
  readonly scroller: RefObject<HTMLDivElement | null>;
}

function AllMessages(props: MessagesProps): ReactNode {
  const { messages, evidence, currentId, stepIndex, onChoose } = props;
  useEffect(() => {
    if (stepIndex === undefined) return;
    // Cards far away have an estimated height until they are near, so the way there is gone twice.
    const go = () => document.getElementById(`step-${stepIndex}`)?.scrollIntoView({ block: 'center' });
    go();
    const frame = requestAnimationFrame(go);
    return () => cancelAnimationFrame(frame);
  }, [stepIndex, currentId, messages]);
  return (
    <div className="mx-auto flex max-w-[52rem] flex-col gap-2">
      {messages.map((message) => (
        <MessageCard key={message.index} {...{ message, evidence, currentId, onChoose }} />
      ))}
    </div>
  );
}

function NearMessages(props: MessagesProps): ReactNode {
  const { messages, evidence, currentId, stepIndex, onChoose, scroller } = props;
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 140,
    overscan: 6,
    gap: 8,
  });
  const position = useCallback(
    (step: number) => {
      const first = messages[0]?.index ?? 0;
      virtualizer.scrollToIndex(step - first, { align: 'center' });
    },
    [messages, virtualizer],
  );
  useEffect(() => {
    if (stepIndex !== undefined) position(stepIndex);
  }, [stepIndex, currentId, position]);
  return (
    <div className="relative mx-auto max-w-[52rem]" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start, key }) => {
        const message = messages[index];
        return message === undefined ? null : (
          <div
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className="absolute inset-x-0"
            style={{ transform: `translateY(${start}px)` }}
          >
            <MessageCard {...{ message, evidence, currentId, onChoose }} />
          </div>
        );
      })}
    </div>
  );
}

const TICKS = { suspect: 'bg-suspect', symptom: 'bg-critical', evidence: 'bg-medium' };

/** Edge that shows where in the conversation the evidence lies. */
function Minimap({ messages, evidence, currentId, onChoose }: TranscriptProps): ReactNode {
  const marked = messages.flatMap(({ index }, at) =>
    evidenceAt(index, evidence).map((each) => ({ ...each, top: messages.length < 2 ? 0 : at / (messages.length - 1) })),
  );
  if (marked.length === 0) return null;
  return (
    <div aria-hidden className="relative my-3 w-4 shrink-0 border-l border-line">
      {marked.map(({ id, kind, title, top }) => (
        <button
          key={`${id}-${top}`}
          type="button"
          tabIndex={-1}
          title={title}
          className={cx('absolute right-1 h-1.5 rounded-full', id === currentId ? 'w-3.5' : 'w-2', TICKS[kind])}
          style={{ top: `calc(${top * 100}% - ${top * 6}px)` }}
          onClick={() => onChoose?.(id)}
        />
      ))}
    </div>
  );
}
