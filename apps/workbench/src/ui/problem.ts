import { ApiError, ConnectionError, ForbiddenError, NotFoundError, TimeoutError, UnavailableError } from '@clew/sdk';

/** Error as a page shows it. */
export interface Problem {
  readonly title: string;
  readonly text: string;
  /** Id to quote. */
  readonly requestId?: string;
  /** Whether the same request may succeed later. */
  readonly mayRetry: boolean;
}

/** Parts of Clew that may be away, by the code of the answer. */
const PARTS: Readonly<Record<string, string>> = {
  DIAGNOSTIC_RULES_UNAVAILABLE: 'This deployment runs without diagnostic Rules.',
  FINDING_WORK_ITEMS_UNAVAILABLE: 'This deployment runs without issue trackers.',
  MODEL_RUNTIME_UNAVAILABLE: 'This deployment runs without local models; models of providers still work.',
  UPSTREAM_UNAVAILABLE: 'One part of Clew does not answer. The others go on.',
  OVERLOADED: 'Clew has more to do than it can at the moment.',
};

/** Request and code with which the SDK begins a message: `PATCH /v1/…: 409 CONFLICT: `. */
const REQUEST = /^[A-Z]+ \S+: \d{3} \w+: /u;

/** Message of an error as people read it: without the request, which the id stands for. */
export function messageOf(error: Error): string {
  return error instanceof ApiError ? error.message.replace(REQUEST, '') : error.message;
}

/** Explains an error: what happened, what is missing, and whether trying again may help. */
export function problemOf(error: Error, roleWith: (permission: string) => string | undefined): Problem {
  if (error instanceof ForbiddenError) {
    const text = missingText(error.missing, roleWith);
    return { title: 'You may not see this', text, requestId: error.requestId, mayRetry: false };
  }
  if (error instanceof NotFoundError) {
    const text = 'It does not exist, has been removed, or is not open to you.';
    return { title: 'Not found', text, requestId: error.requestId, mayRetry: false };
  }
  if (error instanceof UnavailableError) {
    const text = PARTS[error.code] ?? messageOf(error);
    return { title: 'Not available at the moment', text, requestId: error.requestId, mayRetry: true };
  }
  if (error instanceof ApiError) {
    return { title: 'This did not work', text: messageOf(error), requestId: error.requestId, mayRetry: true };
  }
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return { title: 'No answer', text: 'Clew cannot be reached. Is the network there?', mayRetry: true };
  }
  return { title: 'The page failed', text: error.message, mayRetry: true };
}

function missingText(missing: readonly string[], roleWith: (permission: string) => string | undefined): string {
  const [right] = missing.filter((name) => roleWith(name) !== undefined);
  if (right === undefined) return 'Your role lacks the right to do this. An admin of the project can give it.';
  const role = roleWith(right) ?? '';
  const giver = role === 'owner' ? 'An owner of the workspace' : 'An admin of the project';
  return `This needs the right ${right}, which begins with the role ${role}. ${giver} can give it.`;
}
