import { connect } from 'node:net';
import { once } from 'node:events';
import { runningStack } from './stack.ts';

/** Sends raw bytes to the gateway; returns everything it answers until it closes the connection. */
export async function sendRaw(bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(runningStack().gatewayUrl);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}
