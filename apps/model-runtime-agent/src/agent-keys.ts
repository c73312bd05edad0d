import { readFileSync } from 'node:fs';
import { readJson } from '@clew/kernel';
import { ConfigError } from '@clew/runtime';
import { z } from 'zod';

const Key = z.base64url().transform((text) => Buffer.from(text, 'base64url'));
const Keys = z.object({ engineKey: Key, credentialKeys: z.tuple([Key], Key) });

/** Keys derived from the deployment's secret, the only part of it that the agent gets. */
export type AgentKeys = z.infer<typeof Keys>;

/** Reads the keys of the agent. Throws ConfigError, whose message reveals nothing of the file's content. */
export function readAgentKeys(file: string): AgentKeys {
  try {
    return Keys.parse(readJson(readFileSync(file, 'utf8')));
  } catch {
    const problem = `AGENT_KEYS_FILE: ${file} cannot be read, or is not what \`clew agent-keys\` writes`;
    throw new ConfigError([problem]);
  }
}
