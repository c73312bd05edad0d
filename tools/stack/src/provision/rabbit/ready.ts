import amqp from 'amqplib';
import { reasonOf, StackError } from '../../system/errors.ts';
import { isPortServed } from '../../system/ports.ts';
import { pollUntil } from '../../system/waiting.ts';
import type { ProvidedServer } from '../context.ts';

/** A running RabbitMQ. */
export interface RabbitServer extends ProvidedServer {
  amqpUrl: string;
  /** With credentials; undefined where the broker has no management API that we know of. */
  managementUrl: string | undefined;
}

// What a new broker knows; it takes this user from the loopback interface only.
const RABBIT_USER = 'guest';
const RABBIT_PASSWORD = 'guest';

/** The address that applications use: the default virtual host, named so that nobody has to guess it. */
export function amqpUrl(port: number): string {
  return `amqp://${RABBIT_USER}:${RABBIT_PASSWORD}@127.0.0.1:${port}/%2F`;
}

/** The address of the management API, with credentials. */
export function managementUrl(port: number): string {
  return `http://${RABBIT_USER}:${RABBIT_PASSWORD}@127.0.0.1:${port}`;
}

/** Waits until the broker takes clients and, where it has one, its management API answers. */
export async function waitForBroker(
  ports: { amqp: number; management: number | undefined },
  signal: AbortSignal,
): Promise<void> {
  // The port is opened last in the broker's start, so that a client is worth a try only then.
  await pollUntil(() => isPortServed(ports.amqp), { intervalMs: 100, signal });
  await pollUntil(() => takesClient(amqpUrl(ports.amqp)), { intervalMs: 250, signal });
  const { management } = ports;
  if (management === undefined) return;
  await pollUntil(() => managementAnswers(management), { intervalMs: 250, signal });
}

async function takesClient(url: string): Promise<boolean> {
  const connection = await amqp.connect(url, { timeout: 2_000 });
  // Without a listener, a broker that goes away in this moment would end the process.
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

/** Throws unless a broker takes clients at the address that the user gave. */
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
