import { normalised } from '@clew/kernel';

/** Letters of other alphabets that look like Latin ones, after lower-casing. */
const LOOKALIKES = new Map(
  Object.entries({
    ...{ а: 'a', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ј: 'j', ӏ: 'l', о: 'o', р: 'p', ԛ: 'q', ѕ: 's', т: 't' },
    ...{ у: 'y', х: 'x', ԝ: 'w', в: 'b', к: 'k', м: 'm', н: 'h', г: 'r', п: 'n', ѵ: 'v', ɡ: 'g', ı: 'i' },
    ...{ α: 'a', ε: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x' },
  }),
);

const ASCII_ONLY = /^[\0-\x7f]*$/;

/**
 * Folds a text to its visual form: one form per character, lower case, no invisible characters, Latin lookalikes
 * replaced.
 */
export function foldedText(text: string): string {
  // A plain text has nothing to fold but its case.
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  const visible = normalised(text, 'NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase();
  const plain = normalised(normalised(visible, 'NFD').replaceAll(/\p{M}/gu, ''), 'NFC');
  return [...plain].map((character) => LOOKALIKES.get(character) ?? character).join('');
}
