/** Of parts up to this length V8 prepares all, so that `indexOf` looks at no character of a text more than thrice. */
const PREPARED_LENGTH = 250;

/**
 * Where a part stands first in a text, from a place on; -1 where it does not: what `indexOf` says, in time that is
 * linear in both. For long parts `indexOf` compares from the end of each place, so that a text of one character takes
 * time that grows with the product of the two. From where a long part may begin it is sought by Knuth, Morris and Pratt.
 */
export function placeOf(text: string, part: string, from = 0): number {
  if (part.length <= PREPARED_LENGTH) return text.indexOf(part, from);
  const start = text.indexOf(part.slice(0, PREPARED_LENGTH), from);
  return start === -1 || text.startsWith(part, start) ? start : placeByBorders(text, part, start + 1);
}

function placeByBorders(text: string, part: string, from: number): number {
  const borders = bordersOf(part);
  let matched = 0;
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] as number;
    if (part.charCodeAt(matched) === code) matched += 1;
    if (matched === part.length) return index + 1 - matched;
  }
  return -1;
}

/** For each beginning of a part the length of the longest shorter beginning that it ends with. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let border = 0;
  for (let index = 1; index < part.length; index += 1) {
    const code = part.charCodeAt(index);
    while (border > 0 && part.charCodeAt(border) !== code) border = borders[border - 1] as number;
    if (part.charCodeAt(border) === code) border += 1;
    borders[index] = border;
  }
  return borders;
}
