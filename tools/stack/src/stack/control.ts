import fs from 'node:fs';
import net from 'node:net';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { reasonOf, StackError } from '../system/errors.ts';

/** Request of the command line to the supervisor: one line of JSON, answered by one line of JSON. */
export const ControlRequest = z.discriminatedUnion('command', [
  z.object({ command: z.literal('status') }),
  z.object({ command: z.literal('stop') }),
  z.object({ command: z.literal('restart'), name: z.string() }),
  z.object({ command: z.literal('scale'), name: z.string(), count: z.number().int().min(0).max(32) }),
]);
export type ControlRequest = z.infer<typeof ControlRequest>;

const ControlAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), lines: z.array(z.string()) }),
  z.object({ ok: z.literal(false), message: z.string(), hint: z.string().optional() }),
]);
type ControlAnswer = z.infer<typeof ControlAnswer>;

export interface ControlServer {
  close(): void;
}

/** Listens on a socket that only the user can access. */
export async function serveControl(
  socketFile: string,
  handle: (request: ControlRequest) => Promise<string[]>,
): Promise<ControlServer> {
  fs.rmSync(socketFile, { force: true });
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    createInterface({ input: socket }).once('line', (line) => {
      void answer(line, handle).then((result) => socket.end(`${JSON.stringify(result)}\n`));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketFile, resolve);
  });
  fs.chmodSync(socketFile, 0o600);
  return {
    close() {
      server.close();
      fs.rmSync(socketFile, { force: true });
    },
  };
}

async function answer(line: string, handle: (request: ControlRequest) => Promise<string[]>): Promise<ControlAnswer> {
  try {
    return { ok: true, lines: await handle(ControlRequest.parse(JSON.parse(line))) };
  } catch (error) {
    const hint = error instanceof StackError ? error.hint : undefined;
    return { ok: false, message: reasonOf(error), ...(hint === undefined ? {} : { hint }) };
  }
}

/** Sends a request to the supervisor and waits for its answer; a refusal is thrown. */
export async function askSupervisor(socketFile: string, request: ControlRequest): Promise<string[]> {
  const line = await new Promise<string>((resolve, reject) => {
    const socket = net.connect(socketFile, () => socket.write(`${JSON.stringify(request)}\n`));
    let isAnswered = false;
    createInterface({ input: socket }).once('line', (text) => {
      isAnswered = true;
      resolve(text);
      socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      if (!isAnswered) reject(new StackError('the supervisor closed the connection without an answer'));
    });
  });
  const result = ControlAnswer.parse(JSON.parse(line));
  if (!result.ok) throw new StackError(result.message, result.hint);
  return result.lines;
}
