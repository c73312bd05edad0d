import { chmod, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import type { Logger } from '@clew/runtime';
import type { EngineChild, EngineHost } from './engine-host.ts';
import { isInside } from './programs.ts';
import { HostRequest, readMessages, sendMessage } from './wire.ts';

export interface SupervisorOptions {
  /** Socket on which it listens for the agent. */
  socketFile: string;
  /** Host that runs the requested programs. */
  host: EngineHost;
  /** Folder of the models. */
  home: string;
  /** Whether a program is in the closed set of those that may run. */
  mayRun(file: string): boolean;
  logger: Logger;
}

export interface Supervisor {
  /** Ends all engines. */
  stop(): Promise<void>;
}

/** Connected agent, and the programs that it has started. */
interface Session {
  socket: Socket;
  children: Map<number, Promise<EngineChild>>;
}

/** Mode of the socket: only the agent and its group may connect. */
const SOCKET_MODE = 0o660;

/**
 * Runs engines for an agent in another container, one agent at a time. Engines end with the connection over which they
 * were started, and a new agent is accepted when those of the previous one are gone.
 */
export async function superviseEngines(options: SupervisorOptions): Promise<Supervisor> {
  const { socketFile, logger } = options;
  const sessions = new Set<Session>();
  let turn = Promise.resolve();

  async function endSession(session: Session): Promise<void> {
    sessions.delete(session);
    session.socket.destroy();
    const started = await Promise.allSettled(session.children.values());
    const children = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    await Promise.all(children.map((child) => child.stop(0)));
  }

  async function endAll(): Promise<void> {
    await Promise.all([...sessions].map(endSession));
  }

  const server = createServer((socket) => {
    const session: Session = { socket, children: new Map() };
    socket.on('error', (error) => logger.warn({ err: error }, 'the connection of the agent broke'));
    turn = turn.then(async () => {
      await endAll();
      if (socket.destroyed) return;
      sessions.add(session);
      socket.once('close', () => void endSession(session));
      readMessages(socket, HostRequest, (request) => void answer(options, session, request));
      sendMessage(socket, { kind: 'ready' });
      logger.info('an agent is served');
    });
  });
  await rm(socketFile, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketFile, resolve);
  });
  await chmod(socketFile, SOCKET_MODE);
  return {
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      await turn;
      await endAll();
      await closed;
    },
  };
}

async function answer(options: SupervisorOptions, session: Session, request: HostRequest): Promise<void> {
  const { socket } = session;
  const { id } = request;
  try {
    sendMessage(socket, { kind: 'done', id, result: await perform(options, session, request) });
  } catch (error) {
    sendMessage(socket, { kind: 'refused', id, message: error instanceof Error ? error.message : String(error) });
  }
}

async function perform(options: SupervisorOptions, session: Session, request: HostRequest): Promise<object> {
  const { host } = options;
  switch (request.op) {
    case 'start':
      return start(options, session, request);
    case 'stop':
      await (await session.children.get(request.process))?.stop(request.graceMs);
      return {};
    case 'ticks':
      return { ticks: (await (await session.children.get(request.process))?.processorTicks()) ?? null };
    case 'memory':
      return host.memory();
    case 'empty':
      await host.empty(request.folder);
      return {};
  }
}

async function start(
  { host, home, mayRun }: SupervisorOptions,
  session: Session,
  request: Extract<HostRequest, { op: 'start' }>,
): Promise<object> {
  const { process, command, cwd, env, mark } = request;
  const [file = '', ...args] = command;
  if (!mayRun(file)) throw new Error('The program is none of an engine');
  if (cwd !== home && !isInside(home, cwd)) throw new Error('The folder is not one of the models');
  if (session.children.has(process)) throw new Error('There is such a process already');
  const { socket, children } = session;
  const starting = host.start({
    ...{ command: [file, ...args], cwd, env },
    ...(mark === undefined ? {} : { mark }),
    onLine: (text) => sendMessage(socket, { kind: 'line', process, text }),
  });
  children.set(process, starting);
  const child = await starting.catch((error: unknown) => {
    children.delete(process);
    throw error;
  });
  void child.exited.then(async ({ code, signal }) => {
    await child.stop(0);
    children.delete(process);
    sendMessage(socket, { kind: 'exit', process, code, signal });
  });
  return { pid: child.pid, startTime: child.startTime };
}
