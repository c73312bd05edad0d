import { startLoopbackHub, type HubRepo, type LoopbackHub } from '@clew/testing/hub';

/**
 * The model hub of the stack: the stack was told its address when it was started, and outside of the tests that start
 * it, it is away. Only one test file can have it at a time.
 */
export async function startModelHub(repos: readonly HubRepo[]): Promise<LoopbackHub> {
  const endpoint = process.env['HF_ENDPOINT'];
  const { hostname, port } = new URL(endpoint ?? 'https://not-set.invalid');
  if (hostname !== '127.0.0.1' || port === '') {
    throw new Error('Start stack and tests with HF_ENDPOINT=http://127.0.0.1:<a free port>, as "npm test" does');
  }
  return startLoopbackHub(repos, { port: Number(port), pageSize: 3 });
}
