import { randomBytes } from 'node:crypto';
import { deriveAgentKeys } from '@clew/kernel';
import { z } from 'zod';
import { readJson, writeJson } from '../system/files.ts';
import type { Home } from './home.ts';

/** Result of `clew bootstrap`: the first workspace, two projects and their keys. */
export const Keys = z.object({
  workspaceId: z.string(),
  projectId: z.string(),
  apiKey: z.string(),
  otherProjectId: z.string(),
  otherApiKey: z.string(),
  adminApiKey: z.string().optional(),
  adminEmail: z.string().optional(),
  adminPassword: z.string().optional(),
});
export type Keys = z.infer<typeof Keys>;

const Secrets = z.object({ authSecret: z.string().min(43), keys: Keys.optional() });
export type Secrets = z.infer<typeof Secrets>;

/** Reads the secrets of the home directory, and creates them at the first start. */
export function loadSecrets(home: Home): Secrets {
  const known = readJson(home.secretsFile, Secrets);
  if (known !== undefined) return known;
  const secrets: Secrets = { authSecret: randomBytes(48).toString('base64url') };
  writeJson(home.secretsFile, secrets);
  return secrets;
}

/** Root secret from which all other keys derive: the user's own, or that of the home directory. */
export function authSecretOf(home: Home, env: NodeJS.ProcessEnv): string {
  return env['AUTH_SECRET'] || loadSecrets(home).authSecret;
}

/** Writes the keys of the runtime agent, which are derived from the root secret. */
export function prepareAgentKeys(home: Home, env: NodeJS.ProcessEnv): void {
  writeJson(home.agentKeysFile, deriveAgentKeys(authSecretOf(home, env), env['AUTH_SECRET_PREVIOUS'] || undefined));
}

/** Keeps the keys for later starts. */
export function saveKeys(home: Home, keys: Keys): void {
  writeJson(home.secretsFile, { ...loadSecrets(home), keys });
}
