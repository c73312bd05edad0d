import { StackError } from '../system/errors.ts';
import { lockHolder, tryLock } from '../system/lock.ts';
import { serveControl } from './control.ts';
import type { ControlRequest } from './control.ts';
import { REPOSITORY_ROOT } from './home.ts';
import { bringLocalModels, wantsLocalModels } from './local-models.ts';
import type { RunningStack } from './running-stack.ts';
import type { StackFile } from './stack-file.ts';
import { prepareStack } from './start-stack.ts';
import type { StartOptions } from './start.ts';

/** Exit codes for processes ended by a signal. */
const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

// A single Ctrl-C can arrive more than once: from the terminal, and forwarded by npm.
const SAME_KEYSTROKE_MS = 1_000;

export interface SuperviseOptions extends Omit<StartOptions, 'signal'> {
  onReady: (stackFile: StackFile) => void;
}

/**
 * Starts the stack and supervises it until a signal or a request on the control socket stops it. Returns the exit code.
 */
export async function supervise(options: SuperviseOptions): Promise<number> {
  const { home, progress } = options;
  const lock = tryLock(home.lockFile, { socket: home.socketFile });
  if (lock === undefined) {
    const holder = lockHolder(home.lockFile);
    throw new StackError(
      `a stack runs in ${home.directory} already${holder === undefined ? '' : ` (supervised by process ${holder.pid})`}`,
      'End it with "npm run stop", or run a second one with another CLEW_HOME and CLEW_PORT.',
    );
  }
  const startCalledOff = new AbortController();
  const { stack, start } = prepareStack({ ...options, signal: startCalledOff.signal });
  const started = Promise.withResolvers<void>();
  const ending = createEnding(stack, started.promise, (reason) => {
    progress.message(reason);
    startCalledOff.abort(new Error(reason));
  });
  const control = await serveControl(home.socketFile, (request) => handleRequest(request, stack, ending));
  let localModels: Promise<void> | undefined;
  try {
    const outcome = await start()
      .then((stackFile) => {
        options.onReady(stackFile);
        localModels = beginLocalModels(options, stackFile, startCalledOff.signal);
      })
      .then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
    started.resolve();
    if (outcome !== undefined && !ending.isWanted()) {
      await stack.close();
      throw outcome.error;
    }
    const exitCode = await ending.exitCode;
    await localModels;
    progress.message('stopped');
    return exitCode;
  } finally {
    ending.dispose();
    control.close();
    // Released last, so that another "npm start" cannot begin while this one cleans up.
    lock.release();
  }
}

/** Brings up the local models, without which the stack works too, while people already use it. */
function beginLocalModels(
  { env, progress, repositoryRoot = REPOSITORY_ROOT }: SuperviseOptions,
  { gatewayUrl, ...keys }: StackFile,
  signal: AbortSignal,
): Promise<void> | undefined {
  if (!wantsLocalModels(env)) return undefined;
  const log = (line: string) => progress.message(line);
  return bringLocalModels({ repositoryRoot, gatewayUrl, keys, env, signal, log });
}

interface Ending {
  isWanted(): boolean;
  /** Begins the shutdown, or waits for one that has begun. */
  begin(exitCode: number, reason: string): Promise<void>;
  /** Resolves when everything has stopped. */
  exitCode: Promise<number>;
  dispose(): void;
}

/** Stops the stack on a signal or a request: first it aborts the start, then it closes the started processes. */
function createEnding(stack: RunningStack, started: Promise<void>, onBegin: (reason: string) => void): Ending {
  const { promise, resolve } = Promise.withResolvers<number>();
  let closing: Promise<void> | undefined;
  let begunAtMs = 0;

  function begin(exitCode: number, reason: string): Promise<void> {
    if (closing === undefined) {
      begunAtMs = Date.now();
      onBegin(reason);
      closing = started.then(() => stack.close());
      void closing.finally(() => resolve(exitCode));
    }
    return closing;
  }

  function onSignal(signal: NodeJS.Signals): void {
    const exitCode = SIGNAL_EXIT_CODES[signal as keyof typeof SIGNAL_EXIT_CODES];
    if (closing === undefined) void begin(exitCode, 'stopping; once more stops by force');
    else if (Date.now() - begunAtMs > SAME_KEYSTROKE_MS) {
      void stack.close({ immediately: true }).finally(() => process.exit(exitCode));
    }
  }

  const signals = Object.keys(SIGNAL_EXIT_CODES) as (keyof typeof SIGNAL_EXIT_CODES)[];
  for (const signal of signals) process.on(signal, onSignal);
  return {
    isWanted: () => closing !== undefined,
    begin,
    exitCode: promise,
    dispose() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

async function handleRequest(request: ControlRequest, stack: RunningStack, ending: Ending): Promise<string[]> {
  switch (request.command) {
    case 'status':
      return stack.status();
    case 'stop':
      await ending.begin(0, 'stopping as asked by "npm run stop"');
      return [];
    case 'restart':
      await stack.restart(request.name);
      return stack.status();
    case 'scale':
      await stack.scale(request.name, request.count);
      return stack.status();
  }
}
