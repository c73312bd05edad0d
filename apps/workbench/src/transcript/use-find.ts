import { useDeferredValue, useMemo, useState } from 'react';
import type { Api } from '@clew/sdk';
import type { Evidence } from './evidence.ts';
import { findMatches, isEnough, matchBeside, wordsOfSearch, type Match } from './find.ts';

export interface Find {
  readonly words: string;
  readonly setWords: (words: string) => void;
  /** Words whose places are shown: those that were typed a moment ago. */
  readonly shownWords: string;
  readonly match: Match | undefined;
  readonly at: number;
  readonly total: number;
  readonly isCut: boolean;
  readonly walk: (by: 1 | -1) => void;
}

/**
 * Looks for words in all messages of a transcript, also those that are not in the page; at first for those of the search
 * that has found it.
 */
export function useFind(
  messages: readonly Api.ConversationMessage[],
  evidence: readonly Evidence[],
  sought: string | undefined,
): Find {
  const [typed, setTyped] = useState(() => (sought === undefined ? '' : wordsOfSearch(messages, sought, evidence)));
  const [at, setAt] = useState(0);
  const words = useDeferredValue(typed);
  const { all, isCut } = useMemo(() => findMatches(messages, words, evidence), [messages, words, evidence]);
  return {
    words: typed,
    setWords: (next) => {
      setTyped(next);
      setAt(0);
    },
    shownWords: isEnough(words) ? words : '',
    match: all[at],
    at,
    total: all.length,
    isCut,
    walk: (by) => setAt(matchBeside(at, by, all.length)),
  };
}
