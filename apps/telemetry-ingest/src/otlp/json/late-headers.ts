import { AppError } from '@clew/kernel';
import { token, type Token } from '../../json/json-writer.ts';

const MAX_BYTES = 4 * 1024 * 1024;
/** Estimated memory of a map entry in addition to the bytes themselves. */
const ENTRY_BYTES = 128;
const EMPTY_OBJECT = token('{}');
const EMPTY_STRING = token('""');

/**
 * Resources and scope names that stand behind the records they belong to, as JSON allows with its free order of keys.
 * They are found in the first reading of the body and needed in the second. Both are numbered through the whole body.
 */
export class LateHeaders {
  readonly #resources = new Map<number, Token>();
  readonly #scopeNames = new Map<number, Token>();
  #bytes = 0;

  setResource(index: number, resource: Token): void {
    this.#resources.set(index, this.#held(resource));
  }

  setScopeName(index: number, scopeName: Token): void {
    this.#scopeNames.set(index, this.#held(scopeName));
  }

  hasResource(index: number): boolean {
    return this.#resources.has(index);
  }

  hasScopeName(index: number): boolean {
    return this.#scopeNames.has(index);
  }

  /** Returns an empty resource if none came late. */
  resource(index: number): Token {
    return this.#resources.get(index) ?? EMPTY_OBJECT;
  }

  scopeName(index: number): Token {
    return this.#scopeNames.get(index) ?? EMPTY_STRING;
  }

  #held(header: Token): Token {
    this.#bytes += header.length + ENTRY_BYTES;
    if (this.#bytes > MAX_BYTES) {
      throw new AppError('PAYLOAD_TOO_LARGE', 'Too many resources and scopes of the body stand behind their records');
    }
    return header;
  }
}
