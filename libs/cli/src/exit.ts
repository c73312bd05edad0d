import type { ApiError } from '@clew/sdk';

/** Exit codes of every command. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  conflict: 5,
  unavailable: 6,
  refusedLines: 7,
  stillRunning: 8,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Failure that this program itself finds, with its exit code and a way out. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(message: string, { exitCode = EXIT.failed, hint }: { exitCode?: ExitCode; hint?: string } = {}) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/** Makes the error of a command that was called wrongly. */
export const usageError = (message: string, hint?: string): CliError =>
  new CliError(message, { exitCode: EXIT.usage, ...(hint === undefined ? {} : { hint }) });

/** Facts about a failure, as they are told. */
export interface Failure {
  exitCode: ExitCode;
  status: number | null;
  code: string;
  message: string;
  requestId: string | null;
  hint: string | null;
}

const BY_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  408: EXIT.unavailable,
  409: EXIT.conflict,
  412: EXIT.conflict,
  429: EXIT.unavailable,
};

/** Classes of the SDK by name: it is not loaded to look at an error. */
const BY_NAME: Readonly<Record<string, ExitCode>> = {
  ConnectionError: EXIT.unavailable,
  TimeoutError: EXIT.unavailable,
};

/** Describes a failure; `isInterrupted` if Ctrl-C was pressed. */
export function failureOf(error: unknown, isInterrupted: boolean): Failure {
  const nothing = { status: null, requestId: null, hint: null };
  if (isInterrupted) return { ...nothing, exitCode: EXIT.interrupted, code: 'INTERRUPTED', message: 'Interrupted' };
  if (error instanceof CliError) {
    const { exitCode, message, hint = null } = error;
    return { ...nothing, exitCode, message, hint, code: nameOf(exitCode) };
  }
  if (!(error instanceof Error)) return { ...nothing, exitCode: EXIT.failed, code: 'FAILED', message: String(error) };
  if (isApiError(error)) return ofAnswer(error);
  const exitCode = BY_NAME[error.name] ?? EXIT.failed;
  return { ...nothing, exitCode, message: error.message, code: nameOf(exitCode), hint: hintOf(exitCode, undefined) };
}

function isApiError(error: Error): error is ApiError {
  return typeof (error as Partial<ApiError>).status === 'number' && 'requestId' in error;
}

function ofAnswer(error: ApiError): Failure {
  const { status, code, message, details, requestId } = error;
  const exitCode = BY_STATUS[status] ?? (status >= 500 ? EXIT.unavailable : EXIT.usage);
  const wrong = details.map(({ path, message: what }) => (path === '' ? what : `${path}: ${what}`));
  const text = [message, ...wrong].join('\n  ');
  return { exitCode, status, code, message: text, requestId: requestId ?? null, hint: hintOf(exitCode, error) };
}

function hintOf(exitCode: ExitCode, error: ApiError | undefined): string | null {
  if (error?.status === 401) return 'Sign in: clew login';
  if (error?.status === 403) return 'See what the key may do: clew whoami';
  if (error?.status === 412) return 'It has changed in the meantime; read it again';
  if (error?.retryAfterMs !== undefined) return `Try again in ${Math.ceil(error.retryAfterMs / 1_000)} s`;
  return exitCode === EXIT.unavailable ? 'Try again, or look at what is wrong: clew doctor' : null;
}

function nameOf(exitCode: ExitCode): string {
  const name = Object.entries(EXIT).find(([, code]) => code === exitCode)?.[0] ?? 'failed';
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
