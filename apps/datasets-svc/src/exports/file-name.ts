const MAX_NAME_LENGTH = 100;

/** Joins the parts of a file's name; what is neither letter nor digit in them becomes one dash. */
export function fileNameOf(parts: readonly (string | undefined)[], extension: string): string {
  const words = parts.flatMap((part) => (part === undefined ? [] : [wordsOf(part)])).filter((word) => word !== '');
  return `${words.join('-')}.${extension}`;
}

function wordsOf(part: string): string {
  const words = part.toWellFormed().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return Array.from(words.join('-')).slice(0, MAX_NAME_LENGTH).join('');
}
