import { StackError } from '../system/errors.ts';
import { UnitFailed } from '../system/unit.ts';
import type { StackFile } from '../stack/stack-file.ts';

/** Displayable failure, in a form that can be sent between processes. */
export interface FailureReport {
  message: string;
  hint?: string;
  details: readonly string[];
}

/** Describes a failure and, if known, the remedy and the last log lines of the process. */
export function reportFailure(error: unknown): FailureReport {
  if (error instanceof StackError) {
    return { message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }), details: [] };
  }
  if (error instanceof UnitFailed) return { message: error.message, details: error.logTail };
  if (error instanceof Error) return { message: error.message, details: error.stack?.split('\n').slice(1) ?? [] };
  return { message: String(error), details: [] };
}

/** Prints a failure to stderr. */
export function printFailure(report: FailureReport): void {
  const lines = [`\n${report.message}`, ...report.details.map((line) => `    ${line}`)];
  if (report.hint !== undefined) lines.push('', report.hint);
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** First information for a user: addresses, the key, a first request. */
export function welcome(stack: StackFile, options: { endedBy: string }): string {
  const findings = `${stack.gatewayUrl}/v1/projects/${stack.projectId}/diagnostics/findings`;
  const signIn =
    stack.adminEmail === undefined
      ? []
      : [`  sign in   ${stack.gatewayUrl}/sign-in  as ${stack.adminEmail}  with ${stack.adminPassword ?? ''}`];
  return [
    '',
    'Clew is ready.',
    '',
    `  gateway   ${stack.gatewayUrl}`,
    `  key       ${stack.apiKey}`,
    `  project   ${stack.projectId}`,
    ...signIn,
    `  logs      ${stack.logsDirectory}`,
    '',
    '  A first request (Findings come some seconds after their conversations):',
    `    curl -H 'authorization: Bearer ${stack.apiKey}' '${findings}'`,
    '',
    `  ${options.endedBy} ends it; "npm run stack -- status" shows its processes.`,
    '',
  ].join('\n');
}
