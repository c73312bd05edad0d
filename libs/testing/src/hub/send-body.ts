import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface BodyOptions {
  /** Number of bytes after which the connection ends. */
  cutAfterBytes: number | undefined;
  /** Speed; 0 for unlimited. */
  bytesPerSecond: number;
}

const STEP_MS = 10;

/** Sends a body with the given network behavior, reporting every part that it writes to the connection. */
export async function sendBody(
  response: ServerResponse,
  bytes: Buffer,
  options: BodyOptions,
  onSent: (bytes: number) => void,
): Promise<void> {
  const { socket } = response;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  response.once('close', resolve);
  const sent = options.cutAfterBytes === undefined ? bytes : bytes.subarray(0, options.cutAfterBytes);
  for await (const part of partsOf(sent, options.bytesPerSecond)) {
    if (response.destroyed) break;
    response.write(part);
    onSent(part.length);
  }
  if (sent.length === bytes.length) response.end();
  // The bytes before the cut must arrive: destroying at once would drop them.
  else response.write('', () => socket?.destroySoon());
  await closed;
}

async function* partsOf(bytes: Buffer, bytesPerSecond: number): AsyncGenerator<Buffer> {
  if (bytesPerSecond === 0) {
    yield bytes;
    return;
  }
  const step = Math.max(1, Math.floor((bytesPerSecond * STEP_MS) / 1000));
  for (let offset = 0; offset < bytes.length; offset += step) {
    yield bytes.subarray(offset, offset + step);
    await sleep(STEP_MS);
  }
}
