import { findFreePort } from '@clew/stack';

/** The stack's model hub is the loopback hub that a test starts at this address, and away for all others. */
export async function ownModelHub(): Promise<NodeJS.ProcessEnv> {
  return { HF_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`, HF_TOKEN: '', HF_HUB_OFFLINE: '' };
}
