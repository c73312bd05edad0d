import { normalised, sha256Hex } from '@clew/kernel';

const MASK = '<*>';

/** Parts that differ between two uses of one prompt; the numbers in its rules (`at most 3`) do not. */
const VARIABLE: readonly RegExp[] = [
  /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"')\]]+/gi,
  /[^\s@<>"'(]{1,100}@[^\s@<>"')]{1,200}/g,
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi,
  /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?/g,
  /\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/g,
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?\b/gi,
  /\b\d{1,2}(?:st|nd|rd|th)?\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?(?: \d{4})?\b/gi,
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/gi,
  /\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?(?: ?(?:utc|gmt|cest|cet|[ecmp][sd]t))?\b/gi,
  // Ids: letters with digits, or numbers longer than those in rules.
  /(?<![\w-])(?=[\w-]{0,63}\d)(?=[\w-]{0,63}[A-Za-z])[\w-]{4,64}(?![\w(-])/g,
  /\b\d{5,}\b/g,
];
/** Values that a template filled in: `The customer's name is Jane Doe`, `Location: Lisbon`. */
const FILLED_IN =
  /\b((?:name|user|customer|guest|caller|patient|employee|client|date|time|timezone|location|city|address|phone|account|session|language|plan|balance|id)(?: (?:name|id|is)){0,4}(?: is|:|=) ?)([^\n.,;<>()]{1,60})/gi;
/** Full name: two capitalized words, not at the start of a sentence. */
const FULL_NAME = /(?<=[a-z,] )\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?\b/gu;

/** Hash that is equal for two uses of one prompt: names, dates, ids and the like are masked. */
export function promptHash(prompt: string): string {
  let masked = normalised(prompt, 'NFC');
  for (const pattern of VARIABLE) masked = masked.replace(pattern, MASK);
  masked = masked.replace(FILLED_IN, `$1${MASK}`).replace(FULL_NAME, MASK);
  return sha256Hex(
    masked
      .replace(/(?:<\*>[\s,/-]*)+/g, `${MASK} `)
      .replace(/\s+/g, ' ')
      .trim(),
  );
}
