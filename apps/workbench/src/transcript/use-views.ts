import { useCallback, useState } from 'react';
import { setPreferences, usePreferences, type MessageView } from '../preferences/preferences.ts';
import type { ChosenViews } from './message-views.ts';

export interface Views {
  readonly view: MessageView;
  readonly chosen: ChosenViews;
  readonly choose: (index: number, view: MessageView) => void;
  /** Chooses a way for all messages, which this browser remembers. */
  readonly chooseAll: (view: MessageView) => void;
}

/** Ways in which the messages of a transcript are shown. */
export function useViews(): Views {
  const { messageView: view } = usePreferences();
  const [chosen, setChosen] = useState<ChosenViews>(new Map());
  const choose = useCallback(
    (index: number, next: MessageView) => setChosen((before) => new Map(before).set(index, next)),
    [],
  );
  const chooseAll = (next: MessageView) => {
    setChosen(new Map());
    setPreferences({ messageView: next });
  };
  return { view, chosen, choose, chooseAll };
}
