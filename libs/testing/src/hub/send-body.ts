import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface BodyOptions {
  /** Ends the connection after so many bytes. */
  cutAfterBytes: number | undefined;
  /** 0 for as fast as it can. */
  bytesPerSecond: number;
}

const STEP_MS = 10;

/** Sends a body as a network of that kind would; gives back how many bytes the connection took. */
export async function sendBody(response: ServerResponse, bytes: Buffer, options: BodyOptions): Promise<number> {
  const { socket } = response;
  const before = socket?.bytesWritten ?? 0;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  response.once('close', resolve);
  response.flushHeaders();
  const sent = options.cutAfterBytes === undefined ? bytes : bytes.subarray(0, options.cutAfterBytes);
  await write(response, sent, options.bytesPerSecond);
  if (sent.length === bytes.length) response.end();
  // The bytes before the cut must arrive: destroying at once would drop them.
  else response.write('', () => socket?.destroySoon());
  await closed;
  return Math.max(0, Math.min(sent.length, (socket?.bytesWritten ?? 0) - before));
}

async function write(response: ServerResponse, bytes: Buffer, bytesPerSecond: number): Promise<void> {
  if (bytesPerSecond === 0) {
    response.write(bytes);
    return;
  }
  const step = Math.max(1, Math.floor((bytesPerSecond * STEP_MS) / 1000));
  for (let offset = 0; offset < bytes.length && !response.destroyed; offset += step) {
    response.write(bytes.subarray(offset, offset + step));
    await sleep(STEP_MS);
  }
}
