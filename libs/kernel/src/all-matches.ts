/**
 * Finds all matches of a global pattern in a text, in order, like `matchAll`, but without the copy of the pattern that
 * `matchAll` makes for each text. Several searches with one pattern may be under way at a time.
 */
export function* allMatches(text: string, pattern: RegExp): Generator<RegExpExecArray, undefined> {
  if (!pattern.global) throw new TypeError('The pattern is not global');
  for (let at = 0; ;) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    at = pattern.lastIndex;
    pattern.lastIndex = 0;
    if (match === null) return;
    if (match[0] === '') at += pattern.unicode && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    yield match;
  }
}
