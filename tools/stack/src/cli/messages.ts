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

export interface WelcomeOptions {
  endedBy: string;
  /** Link that signs in once. */
  link: string | undefined;
}

/** First information for a user: the Workbench with a link into it, addresses, the key, a first request. */
export function welcome(stack: StackFile, options: WelcomeOptions): string {
  const findings = `${stack.gatewayUrl}/v1/projects/${stack.projectId}/diagnostics/findings`;
  const signIn =
    stack.adminEmail === undefined
      ? []
      : [`  sign in   ${stack.gatewayUrl}/sign-in  as ${stack.adminEmail}  with ${stack.adminPassword ?? ''}`];
  return [
    '',
    'Clew is ready.',
    '',
    ...workbenchLines(stack, options.link),
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

function workbenchLines({ workbenchUrl }: StackFile, link: string | undefined): string[] {
  if (workbenchUrl === undefined) return [];
  const signIn = link === undefined ? [] : [`             ${link}  signs you in, once, within ten minutes`];
  return [`  Workbench ${workbenchUrl}`, ...signIn, ''];
}
