import { createHmac, randomBytes, type KeyObject } from 'node:crypto';

/** Purpose of a random value: the same value has another hash for each. */
export type TokenPurpose =
  | 'session'
  | 'link'
  | 'invitation'
  | 'reset'
  | 'throttle'
  | 'oidc-cookie'
  | 'oidc-state'
  | 'oidc-nonce'
  | 'oidc-verifier'
  | 'account-link'
  | 'device'
  | 'user-code';

/** Random values of which only the hash is stored. */
export interface Tokens {
  /** Makes a value of 32 random bytes, as 43 characters. */
  make(purpose: TokenPurpose): { value: string; hash: string };
  hashOf(purpose: TokenPurpose, value: string): string;
}

const VALUE_BYTES = 32;

export function createTokens(key: KeyObject): Tokens {
  const hashOf = (purpose: TokenPurpose, value: string) =>
    createHmac('sha256', key).update(`${purpose}:`).update(value).digest('base64url');
  return {
    hashOf,
    make(purpose) {
      const value = randomBytes(VALUE_BYTES).toString('base64url');
      return { value, hash: hashOf(purpose, value) };
    },
  };
}
