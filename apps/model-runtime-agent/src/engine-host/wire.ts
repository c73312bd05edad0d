import type { Socket } from 'node:net';
import { LineCutter, readJson } from '@clew/kernel';
import { z } from 'zod';

/** Maximum size of a message, which is one line of JSON. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

const ProcessId = z.int().min(1);

/** Request of the agent to the supervisor of engines. The agent assigns the numbers of requests and of processes. */
export const HostRequest = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('start'),
    id: z.int(),
    process: ProcessId,
    command: z.array(z.string()).min(1).max(200),
    cwd: z.string(),
    env: z.record(z.string().regex(/^\w+$/), z.string()),
    mark: z.string().optional(),
  }),
  z.object({ op: z.literal('stop'), id: z.int(), process: ProcessId, graceMs: z.number().min(0).optional() }),
  z.object({ op: z.literal('ticks'), id: z.int(), process: ProcessId }),
  z.object({ op: z.literal('memory'), id: z.int() }),
  z.object({ op: z.literal('empty'), id: z.int(), folder: z.string() }),
]);
export type HostRequest = z.infer<typeof HostRequest>;

export const Started = z.object({ pid: z.int(), startTime: z.string().nullable() });
export const Ticks = z.object({ ticks: z.number().nullable() });
export const Memory = z.object({ totalBytes: z.number(), availableBytes: z.number() });
export const Done = z.object({});

/** Message of the supervisor: it serves this agent alone, answers a request, or reports on a process. */
export const HostMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('done'), id: z.int(), result: z.unknown() }),
  z.object({ kind: z.literal('refused'), id: z.int(), message: z.string() }),
  z.object({ kind: z.literal('line'), process: ProcessId, text: z.string() }),
  z.object({
    kind: z.literal('exit'),
    process: ProcessId,
    code: z.int().nullable(),
    signal: z.string().nullable(),
  }),
]);
export type HostMessage = z.infer<typeof HostMessage>;

export function sendMessage(socket: Socket, message: HostRequest | HostMessage): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
}

/** Passes on each message of a connection; an invalid one ends the connection. */
export function readMessages<Schema extends z.ZodType>(
  socket: Socket,
  schema: Schema,
  onMessage: (message: z.output<Schema>) => void,
): void {
  const cutter = new LineCutter(MAX_MESSAGE_BYTES);
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const line of cutter.cut(chunk)) {
        if ('refusal' in line) throw new Error(`A message ${line.refusal}`);
        onMessage(schema.parse(readJson(line.text)));
      }
    } catch (error) {
      socket.destroy(error as Error);
    }
  });
}
