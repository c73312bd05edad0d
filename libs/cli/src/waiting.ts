import type { WaitOptions } from '@clew/sdk';
import type { Context, OptionSpec } from './command.ts';
import { CliError, EXIT } from './exit.ts';
import { own, spanMs } from './options.ts';
import { progressOn } from './progress.ts';

/** Options of verbs that ask for work. */
export const WAITING: readonly OptionSpec[] = [
  own('--wait', 'wait until it has ended'),
  own('--timeout <span>', 'with --wait: no longer than this; then the exit code is 8, and the work goes on', {
    parse: spanMs,
  }),
];

/** Waits for asked work, and tells how far it is. The exit code is 8 if it goes on, and 1 if it failed. */
export async function waitFor<T>(
  context: Context,
  wait: (options: WaitOptions<T>) => Promise<T>,
  { stateOf }: { stateOf(current: T): string },
): Promise<T> {
  const progress = progressOn(context.io);
  const timeoutMs = context.number('timeout');
  try {
    return await wait({
      signal: context.signal,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      onProgress: (current) => {
        if (!context.flag('quiet') && context.output.form !== 'json') progress.step('state', stateOf(current));
      },
    });
  } catch (error) {
    if ((error as Error).name !== 'TimeoutError') throw error;
    throw new CliError('It is still running, and goes on', { exitCode: EXIT.stillRunning });
  }
}
