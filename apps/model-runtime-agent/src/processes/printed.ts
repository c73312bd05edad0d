import { setTimeout as sleep } from 'node:timers/promises';
import { EngineHostAway, type EngineHost } from '../engine-host/index.ts';

/** Returns the output of a program on the engine host; undefined if it cannot be started, fails or takes too long. */
export async function printedBy(
  host: Pick<EngineHost, 'start'>,
  command: readonly [file: string, ...args: string[]],
  options: { cwd: string; timeoutMs: number },
): Promise<string | undefined> {
  const lines: string[] = [];
  const child = await host
    .start({ command, cwd: options.cwd, onLine: (line) => void lines.push(line) })
    .catch((error: unknown) => {
      if (error instanceof EngineHostAway) throw error;
    });
  if (child === undefined) return undefined;
  const over = new AbortController();
  const late = sleep(options.timeoutMs, undefined, { signal: over.signal }).then(
    () => child.stop(0),
    () => undefined,
  );
  const { code } = await child.exited;
  over.abort();
  await late;
  return code === 0 ? lines.join('\n') : undefined;
}
