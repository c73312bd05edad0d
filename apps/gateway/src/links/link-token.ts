import type { Tokens } from '../sessions/tokens.ts';

/** Kinds of links that let somebody in. A token of one kind is unknown to the other. */
export type LinkKind = 'invitation' | 'reset';

/** Secret of a link, and the hash under which it is stored. */
export interface LinkToken {
  value: string;
  hash: string;
}

export interface LinkTokens {
  make(kind: LinkKind): LinkToken;
  /** Returns the hash of a token; undefined for a text that cannot be one. */
  hashOf(kind: LinkKind, token: string): string | undefined;
  /** Builds the address of the page that a person opens. */
  addressOf(kind: LinkKind, token: LinkToken): string;
}

const TOKEN_PATTERN = /^[\w-]{43}$/;
const PAGES: Readonly<Record<LinkKind, string>> = { invitation: '/invitations', reset: '/resets' };

/** Tokens of links, hashed with a key as those of sessions are. */
export function createLinkTokens(tokens: Tokens, publicUrl: string): LinkTokens {
  return {
    make: (kind) => tokens.make(kind),
    hashOf: (kind, token) => (TOKEN_PATTERN.test(token) ? tokens.hashOf(kind, token) : undefined),
    addressOf: (kind, { value }) => `${publicUrl}${PAGES[kind]}/${value}`,
  };
}
