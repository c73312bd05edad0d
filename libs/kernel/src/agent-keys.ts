import { deriveSecret } from './secrets.ts';

/**
 * All that the runtime agent is given of AUTH_SECRET, each key as base64url: whoever has them learns neither that
 * secret nor what API keys, sessions and cursors derive from it.
 */
export interface AgentKeys {
  /** Makes the keys of engine processes. */
  engineKey: string;
  /** Open the tokens of projects for the model hub; the present one is first, that before a rotation second. */
  credentialKeys: string[];
}

/** The keys that a deployment gives to its runtime agents. */
export function deriveAgentKeys(authSecret: string, previousAuthSecret?: string): AgentKeys {
  const secrets = previousAuthSecret === undefined ? [authSecret] : [authSecret, previousAuthSecret];
  return {
    engineKey: deriveSecret(authSecret, 'engine-key/v1').toString('base64url'),
    credentialKeys: secrets.map((secret) => deriveSecret(secret, 'kek/v1').toString('base64url')),
  };
}
