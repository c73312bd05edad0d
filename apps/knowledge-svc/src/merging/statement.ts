import { normalised, sha256Hex } from '@clew/kernel';
import { bandKeysOf, encodeSignature, signatureOfTexts } from '@clew/similarity';

/** Statement of a text, split into its subject and its claims. */
export interface Statement {
  /** Equal for two texts with the same words. */
  textKey: string;
  signature: string;
  bands: number[];
  /** Equal for two texts that differ only in numbers, names and negation. */
  subjectKey: string;
  /** Numbers, names and negations of the text, joined to one string. */
  claims: string;
}

const NEGATION = /(?:\b(?:no|not|never|none|nobody|nothing|neither|nor|without|cannot)|(?<!\p{L})\p{L}+n['’]t)\b/giu;
const NUMBER = /(?<!\d)\d+(?:[.,:/-]\d+)*%?/gu;
const QUOTED = /["“«][^"”»]{1,80}["”»]/gu;
/** Capitalized word that does not begin a sentence. */
const NAME = /(?<=[\p{L}\p{N},;)'’]\s)\p{Lu}[\p{L}\p{N}'’-]*/gu;
const NOT_A_WORD = /[^\p{L}\p{N}\p{M}]+/gu;
/** Removed from the subject: "do not pay" leaves a "do" that "pays" does not have. */
const AUXILIARY = /\b(?:do|does|did)\b/gu;

export function statementOf(content: string): Statement {
  const text = normalised(content, 'NFKC');
  const words = alike(text);
  const claims: string[] = [];
  const masked = [QUOTED, NUMBER, NEGATION, NAME].reduce(
    (left, pattern) =>
      left.replace(pattern, (found) => {
        claims.push(pattern === NEGATION ? 'not' : alike(found));
        return pattern === NEGATION ? ' ' : ' * ';
      }),
    text,
  );
  const subject = masked
    .toLowerCase()
    .replace(AUXILIARY, ' ')
    .replace(/[^\p{L}\p{N}\p{M}*]+/gu, ' ')
    .trim();
  const signature = signatureOfTexts(
    (add) => add(words),
    () => text,
  );
  return {
    textKey: sha256Hex(words === '' ? text.trim() : words),
    signature: encodeSignature(signature),
    bands: bandKeysOf(signature),
    subjectKey: sha256Hex(subject),
    claims: claims.toSorted().join('|'),
  };
}

function alike(text: string): string {
  return text.toLowerCase().replace(NOT_A_WORD, ' ').trim();
}
