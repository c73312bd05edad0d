import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { deriveSecret } from '@clew/kernel';

/** Kinds of links that let somebody in. A token of one kind is unknown to the other. */
export type LinkKind = 'invitation' | 'reset';

/** Secret of a link, and the hash under which it is stored. */
export interface LinkToken {
  plain: string;
  hash: string;
}

export interface LinkTokens {
  make(kind: LinkKind): LinkToken;
  /** Returns the hash of a token; undefined for a text that cannot be one. */
  hashOf(kind: LinkKind, token: string): string | undefined;
  /** Builds the address that a person opens. */
  addressOf(kind: LinkKind, token: LinkToken): string;
}

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;
const PAGES: Readonly<Record<LinkKind, string>> = { invitation: '/invitations', reset: '/resets' };

/** Tokens of links, peppered like keys: who reads the database cannot use them, nor make one that fits. */
export function createLinkTokens(authSecret: string, publicUrl: string): LinkTokens {
  const pepper = createSecretKey(deriveSecret(authSecret, 'link/v1'));
  const origin = publicUrl.endsWith('/') ? publicUrl.slice(0, -1) : publicUrl;
  return {
    make(kind) {
      const plain = randomBytes(TOKEN_BYTES).toString('base64url');
      return { plain, hash: hashToken(pepper, kind, plain) };
    },
    hashOf: (kind, token) => (TOKEN_PATTERN.test(token) ? hashToken(pepper, kind, token) : undefined),
    addressOf: (kind, { plain }) => `${origin}${PAGES[kind]}/${plain}`,
  };
}

function hashToken(pepper: KeyObject, kind: LinkKind, plain: string): string {
  return createHmac('sha256', pepper).update(`${kind}:${plain}`).digest('hex');
}
