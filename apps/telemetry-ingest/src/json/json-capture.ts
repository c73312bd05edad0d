import { Assembler } from 'stream-json/core/assembler.js';
import type { JsonToken } from './json-tokens.ts';

/** Stands for a value that is too large to be captured. */
export const NOT_CAPTURED = Symbol('not captured');

export interface CaptureLimits {
  /** Limit of characters in all texts, keys and numbers together. */
  maxCharacters: number;
  maxValues: number;
}

/** Builds one value from tokens, and stops keeping a value that turns out to be too large. */
export class JsonCapture {
  readonly #limits: CaptureLimits;
  readonly #assembler = new Assembler();
  #text = '';
  #characterCount = 0;
  #valueCount = 0;
  #depth = 0;
  #isTooLarge = false;

  constructor(limits: CaptureLimits) {
    this.#limits = limits;
  }

  /** Takes the next token; returns whether it ended the value. */
  take(token: JsonToken): boolean {
    switch (token.name) {
      case 'startObject':
      case 'startArray':
        this.#depth += 1;
        this.#count(1);
        break;
      case 'endObject':
      case 'endArray':
        this.#depth -= 1;
        break;
      case 'startKey':
      case 'startString':
      case 'startNumber':
        this.#text = '';
        return false;
      case 'stringChunk':
      case 'numberChunk':
        this.#append(token.value);
        return false;
      case 'endKey':
        this.#build({ name: 'keyValue', value: this.#text });
        return false;
      case 'endString':
        this.#count(1);
        this.#build({ name: 'stringValue', value: this.#text });
        return this.#depth === 0;
      case 'endNumber':
        this.#count(1);
        this.#build({ name: 'numberValue', value: this.#text });
        return this.#depth === 0;
      default:
        this.#count(1);
    }
    this.#build(token);
    return this.#depth === 0;
  }

  get value(): unknown {
    return this.#isTooLarge ? NOT_CAPTURED : this.#assembler.current;
  }

  #append(piece: string): void {
    this.#characterCount += piece.length;
    if (this.#characterCount > this.#limits.maxCharacters) this.#giveUp();
    else if (!this.#isTooLarge) this.#text += piece;
  }

  #count(values: number): void {
    this.#valueCount += values;
    if (this.#valueCount > this.#limits.maxValues) this.#giveUp();
  }

  #giveUp(): void {
    if (this.#isTooLarge) return;
    this.#isTooLarge = true;
    this.#text = '';
    this.#assembler.dropToLevel(0);
  }

  #build(token: JsonToken): void {
    if (!this.#isTooLarge) this.#assembler.consume(token);
  }
}
