import { secretsIn } from '@clew/privacy';

/** Length up to which texts are read; everything shown is much shorter. */
const MAX_READ = 16_000;
/** Length of the longest secret that is recognized. */
const MAX_SECRET = 8_200;
/** Control characters other than tab and line break; and invisible ones, which hide or reorder words. */
const INVISIBLE =
  /[\p{Cc}--[\t\n]]|[\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E01EF}]/gv;
const JOINERS = /[\u200C\u200D]+/g;

/**
 * Prepares a text of others for display: well-formed, without control characters and invisible ones, its secrets
 * masked, cut to a length. Line breaks and tabs stay.
 */
export function cleaned(text: string, maxLength: number): string {
  const isCut = text.length > MAX_READ;
  const visible = withoutInvisible(isCut ? text.slice(0, MAX_READ) : text);
  const masked = withoutSecrets(visible);
  // Half of a secret at the cut is not recognized; it would be shown where masks made the text before it short.
  return shortened(isCut ? masked.slice(0, Math.max(0, masked.length - MAX_SECRET)) : masked, maxLength);
}

/** Prepares a text of others for one line. */
export function cleanedLine(text: string, maxLength: number): string {
  return shortened(
    cleaned(text, 2 * maxLength)
      .replace(/\s+/g, ' ')
      .trim(),
    maxLength,
  );
}

function withoutInvisible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(INVISIBLE, '')
    .replace(JOINERS, (joiners, index: number, whole: string) => {
      const [before, after] = [whole.charCodeAt(index - 1), whole.charCodeAt(index + joiners.length)];
      // A joiner is a letter's part in some scripts, and holds emoji together; elsewhere it only hides words.
      return joiners.length === 1 && before > 0x7f && after > 0x7f ? joiners : '';
    });
}

/** Replaces every secret by its kind. The search is repeated, because one search finds a limited number. */
function withoutSecrets(text: string): string {
  let rest = text;
  for (let found = secretsIn(rest); found.length > 0; found = secretsIn(rest)) {
    let masked = '';
    let from = 0;
    for (const { kind, start, end } of found) {
      masked += `${rest.slice(from, start)}[${kind} removed]`;
      from = end;
    }
    rest = masked + rest.slice(from);
  }
  return rest;
}

function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text
    .slice(0, maxLength - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}
