import amqp from 'amqplib';
import { reasonOf, StackError } from '../../system/errors.ts';
import { isPortServed } from '../../system/ports.ts';
import { pollUntil } from '../../system/waiting.ts';
import type { ProvidedServer } from '../context.ts';

/** Running RabbitMQ. */
export interface RabbitServer extends ProvidedServer {
  amqpUrl: string;
  /** Address with credentials; undefined if the broker has no known management API. */
  managementUrl: string | undefined;
}

// Default user of a new broker, which accepts it from the loopback interface only.
const RABBIT_USER = 'guest';
const RABBIT_PASSWORD = 'guest';

/** Address that applications use; it names the default virtual host explicitly. */
export function amqpUrl(port: number): string {
  return `amqp://${RABBIT_USER}:${RABBIT_PASSWORD}@127.0.0.1:${port}/%2F`;
}

/** Address of the management API, with credentials. */
export function managementUrl(port: number): string {
  return `http://${RABBIT_USER}:${RABBIT_PASSWORD}@127.0.0.1:${port}`;
}

/** Waits until the broker accepts clients and its management API, if any, answers. */
export async function waitForBroker(
  ports: { amqp: number; management: number | undefined },
  signal: AbortSignal,
): Promise<void> {
  // The broker opens the port last in its start, so clients can connect only then.
  await pollUntil(() => isPortServed(ports.amqp), { intervalMs: 100, signal });
  await pollUntil(() => takesClient(amqpUrl(ports.amqp)), { intervalMs: 250, signal });
  const { management } = ports;
  if (management === undefined) return;
  await pollUntil(() => managementAnswers(management), { intervalMs: 250, signal });
}

async function takesClient(url: string): Promise<boolean> {
  const connection = await amqp.connect(url, { timeout: 2_000 });
  // Without a listener, an error of the connection at this moment would end the process.
  connection.on('error', () => undefined);
  await connection.close();
  return true;
}

async function managementAnswers(port: number): Promise<boolean> {
  const credentials = Buffer.from(`${RABBIT_USER}:${RABBIT_PASSWORD}`).toString('base64');
  const response = await fetch(`http://127.0.0.1:${port}/api/overview`, {
    headers: { authorization: `Basic ${credentials}` },
    signal: AbortSignal.timeout(2_000),
  });
  await response.body?.cancel();
  return response.ok;
}

/** Throws unless a broker accepts clients at the user-provided address. */
export async function requireBroker(url: string): Promise<void> {
  try {
    await takesClient(url);
  } catch (error) {
    throw new StackError(
      `AMQP_URL is set, but no RabbitMQ takes clients there: ${reasonOf(error)}`,
      'Start that RabbitMQ, correct AMQP_URL, or unset it to have one provided.',
    );
  }
}
