import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { EngineHostAway, type EngineChild, type EngineHost, type EngineStart, type Exit } from './engine-host.ts';
import { Done, HostMessage, Memory, readMessages, sendMessage, Started, Ticks, type HostRequest } from './wire.ts';

export interface SocketHostOptions {
  /** Socket of the supervisor of engines. */
  socketFile: string;
  /** Time to wait for the supervisor, for example after a restart of its container; by default 10,000. */
  connectTimeoutMs?: number;
}

type WithoutId<Request> = Request extends HostRequest ? Omit<Request, 'id'> : never;

/** Known state of a process in the other container. */
interface Followed {
  readonly exited: Promise<Exit>;
  isAlive(): boolean;
  /** Drops a process that was not started after all. */
  forget(): void;
}

/** Connection to the supervisor. It ends once, and everything started over it ends with it. */
interface Connection {
  readonly isOpen: () => boolean;
  ask<Schema extends z.ZodType>(request: WithoutId<HostRequest>, answer: Schema): Promise<z.output<Schema>>;
  /** Passes on the lines of a process from now on; resolves when the process or the connection ends. */
  follow(process: number, onLine: (text: string) => void): Followed;
  end(): void;
}

const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_MS = 200;
/** Mode that opens a folder to the group that the agent shares with the user of engines. */
const SHARED_MODE = 0o2770;
const CUT_OFF: Exit = { code: null, signal: 'SIGKILL' };

/** Runs engines in another container of the pod, through its supervisor (`superviseEngines`). */
export function createSocketHost({ socketFile, connectTimeoutMs = CONNECT_TIMEOUT_MS }: SocketHostOptions): EngineHost {
  let current: Promise<Connection> | undefined;
  let lastProcess = 0;

  function connection(): Promise<Connection> {
    const forget = () => (current = undefined);
    current ??= openConnection(socketFile, connectTimeoutMs, forget).catch((error: unknown) => {
      forget();
      throw error;
    });
    return current;
  }

  async function start({ command, cwd, env = {}, mark, onLine }: EngineStart): Promise<EngineChild> {
    const open = await connection();
    const process = (lastProcess += 1);
    const { exited, isAlive, forget } = open.follow(process, onLine);
    const what = { command: [...command], cwd, env, ...(mark === undefined ? {} : { mark }) };
    const { pid, startTime } = await open.ask({ op: 'start', process, ...what }, Started).catch((error: unknown) => {
      forget();
      throw error;
    });
    return {
      ...{ pid, startTime, exited, isAlive },
      async processorTicks() {
        const answer = await open.ask({ op: 'ticks', process }, Ticks).catch(() => undefined);
        return answer?.ticks ?? undefined;
      },
      async stop(graceMs) {
        // Without the supervisor there is nothing left to stop.
        const grace = graceMs === undefined ? {} : { graceMs };
        if (open.isOpen()) await open.ask({ op: 'stop', process, ...grace }, Done).catch(unlessAway);
        await exited;
      },
    };
  }

  return {
    start,
    share: (folder) => chmod(folder, SHARED_MODE),
    shareForPrivateFolders: (folder) => chmod(folder, SHARED_MODE),
    async empty(folder) {
      await (await connection()).ask({ op: 'empty', folder }, Done);
    },
    memory: async () => (await connection()).ask({ op: 'memory' }, Memory),
    async close() {
      (await current?.catch(() => undefined))?.end();
    },
  };
}

function unlessAway(error: unknown): void {
  if (!(error instanceof EngineHostAway)) throw error;
}

/** Connects when the supervisor is there and has ended everything it ran for an earlier agent. */
async function openConnection(socketFile: string, timeoutMs: number, onClosed: () => void): Promise<Connection> {
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    const socket = connect(socketFile);
    try {
      await once(socket, 'connect');
      return await served(socket, onClosed);
    } catch (error) {
      socket.destroy();
      if (Date.now() > deadlineMs) {
        throw new EngineHostAway('The supervisor of engines does not answer', { cause: error });
      }
      await sleep(RETRY_MS);
    }
  }
}

interface Listener {
  onLine(text: string): void;
  end(exit: Exit): void;
}

function served(socket: Socket, onClosed: () => void): Promise<Connection> {
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  const followed = new Map<number, Listener>();
  const ready = Promise.withResolvers<void>();
  let lastId = 0;
  socket.on('error', () => undefined);
  socket.once('close', () => {
    const away = new EngineHostAway('The supervisor of engines has gone');
    ready.reject(away);
    for (const each of pending.values()) each.reject(away);
    for (const each of followed.values()) each.end(CUT_OFF);
    onClosed();
  });
  readMessages(socket, HostMessage, (message) => {
    if (message.kind === 'ready') ready.resolve();
    else if (message.kind === 'line') followed.get(message.process)?.onLine(message.text);
    else if (message.kind === 'exit') {
      followed.get(message.process)?.end({ code: message.code, signal: message.signal as NodeJS.Signals | null });
      followed.delete(message.process);
    } else {
      const asked = pending.get(message.id);
      pending.delete(message.id);
      if (message.kind === 'done') asked?.resolve(message.result);
      else asked?.reject(new Error(message.message));
    }
  });
  const open: Connection = {
    isOpen: () => !socket.destroyed,
    async ask(request, answer) {
      if (socket.destroyed) throw new EngineHostAway('The supervisor of engines has gone');
      const id = (lastId += 1);
      const asked = Promise.withResolvers<unknown>();
      pending.set(id, asked);
      sendMessage(socket, { ...request, id });
      return answer.parse(await asked.promise);
    },
    follow(process, onLine) {
      const { promise: exited, resolve } = Promise.withResolvers<Exit>();
      let alive = true;
      followed.set(process, {
        onLine,
        end(exit) {
          alive = false;
          resolve(exit);
        },
      });
      return { exited, isAlive: () => alive, forget: () => void followed.delete(process) };
    },
    end: () => socket.destroy(),
  };
  return ready.promise.then(() => open);
}
