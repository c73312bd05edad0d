import { findFreePort } from '@clew/stack';

/** Settings for a stack whose model hub is a loopback hub at a free port: it exists only while a test runs it. */
export async function ownModelHub(): Promise<NodeJS.ProcessEnv> {
  return { HF_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`, HF_TOKEN: '', HF_HUB_OFFLINE: '' };
}
