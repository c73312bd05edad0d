import type { OptionValues, Verb } from './command.ts';
import { createContext, type ClientOptions } from './context.ts';
import { EXIT, failureOf, usageError, type Failure } from './exit.ts';
import type { Io } from './io.ts';
import { printable } from './output/text.ts';
import { styleOf } from './output/style.ts';

/** Runs a command line; resolves with the exit code. */
export async function runClew(argv: readonly string[], io: Io, clientOptions: ClientOptions = {}): Promise<number> {
  if (argv[0] === '__complete') {
    const { complete } = await import('./completion/complete.ts');
    return await complete(argv.slice(1), io);
  }
  let exitCode: number = EXIT.done;
  const runVerb = async (verb: Verb, args: readonly string[], options: OptionValues) => {
    const context = createContext({ io, verb, args, options, clientOptions });
    if (verb.destroys !== undefined) await context.confirm(verb.destroys);
    exitCode = (await verb.run(context)) ?? EXIT.done;
  };
  try {
    const { buildProgram } = await import('./program.ts');
    const program = await buildProgram(argv, io, runVerb);
    if (argv.length === 0) program.help();
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    const error = usageOf(thrown);
    if (typeof error === 'number') return error;
    const failure = failureOf(error, io.interrupted.aborted);
    await tell(failure, argv, io);
    return failure.exitCode;
  }
}

/** Tells commander's errors apart: a help that was asked for ends with its code, all else was called wrongly. */
function usageOf(thrown: unknown): unknown {
  const { code, exitCode, message } = thrown as { code?: unknown; exitCode?: number; message: string };
  if (typeof code !== 'string' || !code.startsWith('commander.')) return thrown;
  if (exitCode === 0) return EXIT.done;
  // The help of a noun without a verb stands on stderr already.
  if (code === 'commander.help') return EXIT.usage;
  return usageError(message.replace(/^error: /, ''));
}

async function tell(failure: Failure, argv: readonly string[], io: Io): Promise<void> {
  const { exitCode, ...error } = failure;
  if (argv.includes('--json') || argv.includes('--ndjson')) {
    await io.stderr.write(`${JSON.stringify({ error })}\n`);
    return;
  }
  if (exitCode === EXIT.interrupted) return;
  const { message, requestId, hint } = error;
  const style = styleOf(io.stderr, io);
  const lines = [
    `${style.colour('error:', 'red')} ${printable(message)}`,
    ...(hint === null ? [] : [`${style.colour('hint:', 'cyan')} ${hint}`]),
    ...(requestId === null ? [] : [`${style.colour('request:', 'dim')} ${printable(requestId)}`]),
  ];
  await io.stderr.write(`${lines.join('\n')}\n`);
}
