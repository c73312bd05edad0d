import { diffWordsWithSpace } from 'diff';

/** Part of a text: the same in both, or only in this one. */
export interface DiffPart {
  readonly text: string;
  readonly isOwn: boolean;
}

/** Two texts in parts that are the same and parts that differ. */
export interface WordDiff {
  readonly before: readonly DiffPart[];
  readonly after: readonly DiffPart[];
  /** Whether they were compared word by word; texts that differ too much are shown as a whole. */
  readonly isFine: boolean;
}

/** Length of both beyond which they are compared beside the page. */
const LONG = 20_000;

/** Whether comparing two texts may take longer than one should wait for. */
export function isLong(before: string, after: string): boolean {
  return before.length + after.length > LONG;
}

/** Two texts of which nothing is marked. */
export function unmarked(before: string, after: string): WordDiff {
  const whole = (text: string) => [{ text, isOwn: false }];
  return { before: whole(before), after: whole(after), isFine: false };
}

/** Time after which two texts are not compared any further. */
const MAX_MS = 250;

/** Compares two texts word by word. The parts of each side joined are its text again. */
export function wordDiff(before: string, after: string, timeout = MAX_MS): WordDiff {
  const changes = diffWordsWithSpace(before, after, { timeout });
  if (changes === undefined) {
    return {
      before: [{ text: before, isOwn: true }],
      after: [{ text: after, isOwn: true }],
      isFine: false,
    };
  }
  const side = (own: 'added' | 'removed', other: 'added' | 'removed') =>
    changes.filter((change) => !change[other]).map((change) => ({ text: change.value, isOwn: change[own] }));
  return { before: side('removed', 'added'), after: side('added', 'removed'), isFine: true };
}
