import { deriveSecret } from './secrets.ts';

/**
 * Keys derived from AUTH_SECRET that the runtime agent gets, each as base64url. They reveal neither that secret nor the
 * keys derived from it for API keys, sessions and cursors.
 */
export interface AgentKeys {
  /** Key from which the keys of engine processes are made. */
  engineKey: string;
  /**
   * Keys that decrypt the projects' tokens for the model hub: the current one first, the one before a rotation second.
   */
  credentialKeys: string[];
}

/** Derives the keys that a deployment gives to its runtime agents. */
export function deriveAgentKeys(authSecret: string, previousAuthSecret?: string): AgentKeys {
  const secrets = previousAuthSecret === undefined ? [authSecret] : [authSecret, previousAuthSecret];
  return {
    engineKey: deriveSecret(authSecret, 'engine-key/v1').toString('base64url'),
    credentialKeys: secrets.map((secret) => deriveSecret(secret, 'kek/v1').toString('base64url')),
  };
}
