import type { MessageView } from '../preferences/preferences.ts';

/** Ways that were chosen for single messages, by their indexes. */
export type ChosenViews = ReadonlyMap<number, MessageView>;

export const VIEW_LABELS: Readonly<Record<MessageView, string>> = { text: 'Text', markdown: 'Markdown', json: 'JSON' };

interface Shown {
  readonly index: number;
  /** Whether it holds the evidence that one has come to. */
  readonly isCurrent: boolean;
  /** Whether the words that somebody looks for have been come to in it. */
  readonly isFound: boolean;
}

/**
 * Way in which a message is shown. Marks and found words stand in its text alone: a message at which one has come to
 * them is shown as text, unless another way was chosen for it.
 */
export function viewOf({ index, isCurrent, isFound }: Shown, view: MessageView, chosen: ChosenViews): MessageView {
  if (isFound) return 'text';
  return chosen.get(index) ?? (isCurrent ? 'text' : view);
}
