import type { TaskContext } from '@clew/persistence';

const HEARTBEAT_MS = 2_000;

/** Does work that waits for a provider, and keeps its claim meanwhile; each call has a time limit of its own. */
export async function withHeartbeats(
  { signal, heartbeat }: Pick<TaskContext, 'signal' | 'heartbeat'>,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const beating = setInterval(heartbeat, HEARTBEAT_MS);
  try {
    await work(signal);
  } finally {
    clearInterval(beating);
  }
}
