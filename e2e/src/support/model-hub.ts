import { startLoopbackHub, type HubRepo, type LoopbackHub } from '@clew/testing/hub';

/**
 * Starts the model hub of the stack. The stack got the hub's address at its start; the hub runs only during the tests
 * that start it. Only one test file at a time can use it.
 */
export async function startModelHub(repos: readonly HubRepo[]): Promise<LoopbackHub> {
  const endpoint = process.env['HF_ENDPOINT'];
  const { hostname, port } = new URL(endpoint ?? 'https://not-set.invalid');
  if (hostname !== '127.0.0.1' || port === '') {
    throw new Error('Start stack and tests with HF_ENDPOINT=http://127.0.0.1:<a free port>, as "npm test" does');
  }
  return startLoopbackHub(repos, { port: Number(port), pageSize: 3 });
}
