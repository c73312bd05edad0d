import { cleanedLine } from './clean.ts';
import { withoutReferences } from './neutral.ts';

/** Maximum length of a title that all providers take. */
export const MAX_TITLE_LENGTH = 200;

/** Prepares the title of an issue: one line, without references that a provider would link. */
export function issueTitle(title: string): string {
  const line = cleanedLine(title, MAX_TITLE_LENGTH - 40);
  const neutral = withoutReferences(line);
  // A text full of references grows; its plain beginning is then enough.
  const short =
    neutral.length <= MAX_TITLE_LENGTH ? neutral : withoutReferences(cleanedLine(line, MAX_TITLE_LENGTH / 2));
  return short === '' ? 'Finding without a title' : short;
}
