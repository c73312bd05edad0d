import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { cx } from '../ui/cx.ts';
import { evidenceAt, type Evidence } from './evidence.ts';
import { FindBar } from './find-bar.tsx';
import type { Match } from './find.ts';
import { MessageCard } from './message-card.tsx';
import { TranscriptContext } from './transcript-context.ts';
import { useFind } from './use-find.ts';
import { useViews } from './use-views.ts';
import { ViewChoice } from './view-choice.tsx';

export interface TranscriptProps {
  readonly messages: readonly Api.ConversationMessage[];
  readonly evidence: readonly Evidence[];
  /** Step to be at, and evidence to be outlined. */
  readonly stepIndex: number | undefined;
  readonly currentId: string | undefined;
  readonly onChoose?: (evidenceId: string) => void;
  /** Words of the search that has found the conversation. */
  readonly sought?: string | undefined;
  /** Address that leads to a step; one who reads a whole conversation also finds words in it. */
  readonly addressOf?: (stepIndex: number) => string;
}

/** Facts of a transcript in which messages are only shown as text. */
const NO_CHOICE = { view: 'text', chosen: new Map(), choose: undefined } as const;
/** Messages up to which all are in the page: the browser's own search, selections and printing then work. */
const ALL_IN_PAGE = 300;

/** Transcript of a conversation, which scrolls by itself to the step that it is to show. */
export function Transcript(props: TranscriptProps): ReactNode {
  // Held as state: messages that are shown before it is there could not scroll it.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const { messages, evidence, sought, addressOf } = props;
  const find = useFind(messages, evidence, sought);
  const { shownWords: words, match } = find;
  const { view, chosen, choose, chooseAll } = useViews();
  const hasChoice = addressOf !== undefined;
  const facts = useMemo(
    () => ({ words, match, addressOf, ...(hasChoice ? { view, chosen, choose } : NO_CHOICE) }),
    [words, match, addressOf, hasChoice, view, chosen, choose],
  );
  return (
    <TranscriptContext value={facts}>
      {!hasChoice ? null : (
        <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-1">
          <FindBar find={find} onLeave={() => scroller?.focus({ preventScroll: true })} />
          <span className="ml-auto">
            <ViewChoice view={view} onChoose={chooseAll} />
          </span>
        </div>
      )}
      <div className="flex min-h-0 flex-1">
        <div
          ref={setScroller}
          tabIndex={0}
          role="region"
          aria-label="Transcript"
          className="min-h-0 flex-1 overflow-auto px-4 py-3 -outline-offset-2"
        >
          {scroller === null ? null : messages.length <= ALL_IN_PAGE ? (
            <AllMessages {...props} {...{ scroller, match }} />
          ) : (
            <NearMessages {...props} {...{ scroller, match }} />
          )}
        </div>
        <Minimap {...props} />
      </div>
    </TranscriptContext>
  );
}

interface MessagesProps extends TranscriptProps {
  readonly scroller: HTMLDivElement;
  /** Place of found words. */
  readonly match: Match | undefined;
}

/** Brings the transcript to the step that it is to show, and to words that are found, whichever was chosen last. */
function usePlace(
  { messages, stepIndex, currentId, scroller, match }: MessagesProps,
  goTo: (step: number) => void,
): void {
  useEffect(
    () => (stepIndex === undefined ? undefined : goAgain(() => goTo(stepIndex), STEP_TURNS)),
    [stepIndex, currentId, messages, scroller, goTo],
  );
  // Behind the other, so that a conversation that is opened with both shows the words.
  useEffect(() => {
    if (match === undefined) return undefined;
    const go = () => {
      const found = scroller.querySelector('[data-found]');
      if (found === null) goTo(match.index);
      else scrollToMiddle(scroller, found);
    };
    return goAgain(go, FOUND_TURNS);
  }, [match, messages, scroller, goTo]);
}

/**
 * Goes somewhere now, and again in each of the next frames, because cards far away have an estimated height until they
 * are near; returns what ends it.
 */
function goAgain(go: () => void, frames: number): () => void {
  let left = frames;
  let frame = 0;
  const turn = () => {
    go();
    left -= 1;
    if (left >= 0) frame = requestAnimationFrame(turn);
  };
  turn();
  return () => cancelAnimationFrame(frame);
}

/** Frames in which a step comes into the page. */
const STEP_TURNS = 1;
/** Frames in which found words come into the page and get their place. */
const FOUND_TURNS = 4;

function AllMessages(props: MessagesProps): ReactNode {
  const { messages, evidence, currentId, stepIndex, onChoose, scroller } = props;
  const goTo = useCallback(
    (step: number) => scrollToMiddle(scroller, document.getElementById(`step-${step}`)),
    [scroller],
  );
  usePlace(props, goTo);
  return (
    <div className="mx-auto flex max-w-[52rem] flex-col gap-2">
      {messages.map((message) => (
        <MessageCard
          key={message.index}
          {...{ message, evidence, currentId, onChoose }}
          isHere={currentId === undefined && message.index === stepIndex}
        />
      ))}
    </div>
  );
}

/** Brings an element to the middle of the transcript. The page around it stays where it is. */
function scrollToMiddle(scroller: HTMLElement, element: Element | null): void {
  if (element === null) return;
  const [outer, inner] = [scroller.getBoundingClientRect(), element.getBoundingClientRect()];
  scroller.scrollTop += inner.top - outer.top - Math.max(0, (outer.height - inner.height) / 2);
}

/** Height of a card before it is measured, and the space between two. */
const CARD_PX = 140;
const GAP_PX = 8;

function NearMessages(props: MessagesProps): ReactNode {
  const { messages, evidence, currentId, stepIndex, onChoose, scroller } = props;
  const stepAt = stepIndex === undefined ? 0 : messages.findIndex(({ index }) => index === stepIndex);
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller,
    estimateSize: () => CARD_PX,
    overscan: 6,
    gap: GAP_PX,
    // Near its step from the beginning, so that the messages at the top are not drawn in vain.
    initialOffset: () => Math.max(0, stepAt) * (CARD_PX + GAP_PX),
  });
  const goTo = useCallback(
    (step: number) => {
      const first = messages[0]?.index ?? 0;
      virtualizer.scrollToIndex(step - first, { align: 'center' });
    },
    [messages, virtualizer],
  );
  usePlace(props, goTo);
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
            <MessageCard
              {...{ message, evidence, currentId, onChoose }}
              isHere={currentId === undefined && message.index === stepIndex}
            />
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
