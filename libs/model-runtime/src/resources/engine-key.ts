import { createHmac } from 'node:crypto';

/** Derives a separate key for each engine process, in the API and in the agent alike. */
export type EngineKeys = (nonce: string) => string;

/** Creates the derivation from the secret that both derive from AUTH_SECRET, or are given. */
export function createEngineKeys(secret: Uint8Array): EngineKeys {
  return (nonce) => createHmac('sha256', secret).update(nonce).digest('base64url');
}
