import { normalised } from '@clew/kernel';
import { imul, mix32 } from './mix32.ts';

/** Maximum number of words that count, which limits the cost of one signature. */
export const MAX_WORDS = 50_000;

/** Signed integer, like the result of `imul`: hashing is faster with numbers of one kind. */
const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;
const ASCII_ONLY = /^[\0-\x7f]*$/;

const SEPARATOR = 1;
const PART_OF_WORD = 2;
/** Kind of characters in scripts without spaces between words: each character counts as a word. */
const WORD_BY_ITSELF = 3;

const LETTER_OR_DIGIT = /[\p{L}\p{N}\p{M}\p{Cs}]/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;

/** Kind of each UTF-16 code unit, computed at its first use. */
const kinds = new Uint8Array(0x10000);

/** Lower-case letters and digits of ASCII; 0 for separators. */
const asciiLetters = Uint8Array.from({ length: 128 }, (_, code) =>
  kindOf(code) === PART_OF_WORD ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : 0,
);

/**
 * Hashes of a text's words, independent of case, width, encoding of accents and punctuation. One buffer is reused, so
 * that a million texts create no garbage. Each word is hashed by FNV-1a (Fowler, Noll, Vo) over its UTF-16 code units,
 * in 32 bits. Stored signatures depend on all of this.
 */
export class WordHashes {
  readonly hashes = new Int32Array(MAX_WORDS);
  count = 0;

  clear(): void {
    this.count = 0;
  }

  add(text: string): void {
    if (ASCII_ONLY.test(text)) this.#addAscii(text);
    else this.#addAny(normalised(text, 'NFKC').toLowerCase());
  }

  #addAscii(text: string): void {
    let hash = FNV_OFFSET;
    let isInWord = false;
    for (let index = 0; index < text.length; index += 1) {
      const code = asciiLetters[text.charCodeAt(index)] as number;
      if (code !== 0) {
        hash = imul(hash ^ code, FNV_PRIME);
        isInWord = true;
      } else if (isInWord) {
        this.#push(hash);
        if (this.count === MAX_WORDS) return;
        hash = FNV_OFFSET;
        isInWord = false;
      }
    }
    if (isInWord) this.#push(hash);
  }

  /** Adds the words of a text in lower case. */
  #addAny(normal: string): void {
    let hash = FNV_OFFSET;
    let isInWord = false;
    for (let index = 0; index < normal.length && this.count < MAX_WORDS; index += 1) {
      const code = normal.charCodeAt(index);
      const kind = kinds[code] || kindOf(code);
      if (isInWord && kind !== PART_OF_WORD) {
        this.#push(hash);
        isInWord = false;
      }
      if (kind === SEPARATOR) continue;
      if (!isInWord) hash = FNV_OFFSET;
      hash = imul(hash ^ code, FNV_PRIME);
      if (kind === WORD_BY_ITSELF) this.#push(hash);
      else isInWord = true;
    }
    if (isInWord) this.#push(hash);
  }

  #push(hash: number): void {
    if (this.count === MAX_WORDS) return;
    this.hashes[this.count] = mix32(hash);
    this.count += 1;
  }
}

function kindOf(code: number): number {
  const character = String.fromCharCode(code);
  const kind = UNSPACED.test(character) ? WORD_BY_ITSELF : LETTER_OR_DIGIT.test(character) ? PART_OF_WORD : SEPARATOR;
  kinds[code] = kind;
  return kind;
}
