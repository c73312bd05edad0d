import { createContext } from 'react';
import type { MessageView } from '../preferences/preferences.ts';
import type { Match } from './find.ts';
import type { ChosenViews } from './message-views.ts';

/** Facts that all messages of a transcript share. */
export interface TranscriptFacts {
  /** Words that somebody looks for; empty where nobody does. */
  readonly words: string;
  /** Place that one has come to. */
  readonly match: Match | undefined;
  /** Address that leads to a step; undefined where steps have none. */
  readonly addressOf: ((stepIndex: number) => string) | undefined;
  /** Way in which messages are shown, and those for which another one was chosen. */
  readonly view: MessageView;
  readonly chosen: ChosenViews;
  /** Chooses a way for one message; absent where there is no choice. */
  readonly choose: ((index: number, view: MessageView) => void) | undefined;
}

export const TranscriptContext = createContext<TranscriptFacts>({
  words: '',
  match: undefined,
  addressOf: undefined,
  view: 'text',
  chosen: new Map(),
  choose: undefined,
});
