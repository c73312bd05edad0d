import { createHmac } from 'node:crypto';

/** Gives each engine process a key of its own, which the API and the agent can both derive. */
export type EngineKeys = (nonce: string) => string;

/** By the secret that both derive from AUTH_SECRET, or are given. */
export function createEngineKeys(secret: Uint8Array): EngineKeys {
  return (nonce) => createHmac('sha256', secret).update(nonce).digest('base64url');
}
