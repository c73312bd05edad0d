import { cleanedLine } from './clean.ts';
import { withoutReferences } from './neutral.ts';

/** Maximum length of a title that all providers take. */
const MAX_TITLE_LENGTH = 200;
/** Lengths that are tried: a title full of references grows when they are taken apart, to three times its length. */
const LENGTHS: readonly number[] = [160, 100, 60];

/** Prepares the title of an issue: one line, without references that a provider would link. */
export function issueTitle(title: string): string {
  const titles = LENGTHS.map((length) => withoutReferences(cleanedLine(title, length)).trim());
  const fitting = titles.find((each) => each.length <= MAX_TITLE_LENGTH) ?? '';
  return fitting === '' ? 'Finding without a title' : fitting;
}
