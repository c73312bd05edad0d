import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { agentUser, type EngineHostKind } from './engine-hosts.ts';
import { programOf } from './programs.ts';

/** Settings of an agent's process, which it reads as JSON. */
export interface AgentProcessSettings {
  mongoUrl: string;
  database: string;
  amqpUrl: string;
  home: string;
  node: string;
  authSecret: string;
  engines: EngineHostKind;
  installMs: number;
  fetchMs: number;
  sweepMs: number;
  drainMs: number;
  /** Time without work after which an engine has finished its answers; by default the agent's own. */
  atRestMs?: number;
  /** Pause after a failed attempt; by default the agent's own. */
  failurePauseMs?: number;
  retryDelaysMs: readonly number[];
  logLevel: string;
}

/** Agent in its own process, which a test may kill. */
export interface AgentChild {
  readonly pid: number;
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the agent's process; `ready` resolves when it has the node. */
export function startAgentChild(settings: AgentProcessSettings): AgentChild & { ready: Promise<void> } {
  const child = spawn(process.execPath, ['--conditions=clew-source', programOf('agent')], {
    env: { ...process.env, NODE_OPTIONS: '', AGENT_SETTINGS: JSON.stringify(settings) },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...agentUser(settings.engines),
  });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    }
    return child.exitCode;
  };
  return {
    pid: child.pid ?? 0,
    ready: untilReady(child),
    async kill() {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
  };
}

async function untilReady(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once('exit', (code) => reject(new Error(`The agent ended with ${code} before it was ready`)));
  if (child.stdout === null) throw new Error('The agent has no output');
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === 'agent ready') resolve();
    else process.stderr.write(`${line}\n`);
  });
  await promise;
}
