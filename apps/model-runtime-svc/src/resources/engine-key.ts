import { createHmac } from 'node:crypto';
import { deriveSecret } from '@clew/kernel';

/** Gives each engine process a key of its own, which the API and the agent can both derive. */
export type EngineKeys = (nonce: string) => string;

export function createEngineKeys(authSecret: string): EngineKeys {
  const secret = deriveSecret(authSecret, 'engine-key/v1');
  return (nonce) => createHmac('sha256', secret).update(nonce).digest('base64url');
}
