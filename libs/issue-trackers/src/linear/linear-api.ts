import type { Clock } from '@clew/kernel';
import type { z } from 'zod';
import { createApi, type ApiRules, type Wait } from '../exchange/api.ts';
import type { Answer, Purpose, TrackerFetch } from '../exchange/send.ts';
import { said, withWords } from '../exchange/said.ts';
import { askedWait, numberIn } from '../exchange/times.ts';
import type { ConnectionTo } from '../tracker/connection.ts';
import {
  done,
  refused,
  unavailable,
  unknown,
  type Later,
  type Outcome,
  type RefusalReason,
  type Refused,
  type Unknown,
} from '../tracker/outcome.ts';
import { LinearBody, type LinearError } from './linear-answers.ts';

const NAME = 'Linear';
const MIN_WAIT_MS = 60_000;
/** Statuses with which Linear sends errors whose codes say more. */
const WITH_ERRORS: readonly number[] = [400, 401, 403, 404];
/** Kinds of calls that are counted apart. */
const LIMITS = ['requests', 'complexity', 'endpoint-requests'] as const;

const RULES: ApiRules = {
  name: NAME,
  waitOf: rateLimitOf,
  wordsOf: (answer) => errorsIn(answer).map(wordsOf),
};

export interface LinearApi {
  /** Sends a document and checks its data. An error in the answer counts like a status in other APIs. */
  send<Schema extends z.ZodType>(
    document: GraphQlDocument,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<Outcome<z.output<Schema>>>;
  /** Sends a query for one thing; null if it does not exist, or these credentials do not see it. */
  find<Schema extends z.ZodType>(
    document: GraphQlDocument,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<Outcome<z.output<Schema> | null>>;
}

export interface GraphQlDocument {
  purpose: Purpose;
  query: string;
  variables?: Readonly<Record<string, unknown>>;
}

export function createLinearApi(
  { baseUrl, credentials }: Pick<ConnectionTo<'linear'>, 'baseUrl' | 'credentials'>,
  fetch: TrackerFetch,
  clock: Clock,
): LinearApi {
  const { token } = credentials;
  const headers = {
    // Keys of a person are sent as they are; only tokens of an app have the scheme.
    authorization: token.startsWith('lin_api_') ? token : `Bearer ${token}`,
    'content-type': 'application/json',
    'user-agent': 'clew',
  };
  const api = createApi({ fetch, clock, rules: RULES, secrets: [token] });

  async function exchange({ purpose, query, variables = {} }: GraphQlDocument, signal: AbortSignal) {
    const body = JSON.stringify({ query, variables });
    const request = { method: 'POST', url: `${baseUrl}/graphql`, headers, body, purpose };
    return await api.answer(request, signal, WITH_ERRORS);
  }

  function judged<Schema extends z.ZodType>(
    answer: Answer,
    schema: Schema,
    purpose: Purpose,
  ): Outcome<z.output<Schema>> {
    const errors = errorsIn(answer);
    const [first] = errors;
    if (first !== undefined) return judgedError(first, said(errors.map(wordsOf), [token]), purpose);
    const judgedByStatus = api.judged(answer, purpose);
    if (judgedByStatus.kind !== 'done') return judgedByStatus;
    const data = LinearBody.safeParse(answer.json).data?.data;
    return api.checked({ ...answer, json: data }, schema, purpose);
  }

  return {
    async send(document, schema, signal) {
      const answered = await exchange(document, signal);
      return answered.kind === 'done' ? judged(answered.value, schema, document.purpose) : answered;
    },
    async find(document, schema, signal) {
      const answered = await exchange(document, signal);
      if (answered.kind !== 'done') return answered;
      return errorsIn(answered.value).some(isNotFound) ? done(null) : judged(answered.value, schema, document.purpose);
    },
  };
}

function errorsIn({ json }: Answer): LinearError[] {
  return LinearBody.safeParse(json).data?.errors ?? [];
}

function wordsOf({ message, extensions }: LinearError): unknown {
  return extensions?.userPresentableMessage ?? message;
}

function isNotFound({ message = '', extensions }: LinearError): boolean {
  return /entity not found/i.test(message) || /could not find/i.test(extensions?.userPresentableMessage ?? '');
}

/** Subjects of refusals, by the type of the error (`AUTHENTICATION_ERROR`, `authentication error`). */
const REASONS: Readonly<Record<string, RefusalReason>> = {
  'authentication error': 'credentials',
  forbidden: 'permission',
  'feature not accessible': 'permission',
  'invalid input': 'content',
  'input error': 'content',
  'user error': 'content',
  'usage limit exceeded': 'destination',
  'graphql error': 'content',
  'graphql validation failed': 'content',
};

function judgedError(error: LinearError, words: string, purpose: Purpose): Refused | Later | Unknown {
  const { type = '', code = '' } = error.extensions ?? {};
  const reason = isNotFound(error) ? 'destination' : (REASONS[normalForm(type)] ?? REASONS[normalForm(code)]);
  if (reason !== undefined) return refused(reason, withWords('Linear refuses the call', words));
  const message = withWords('Linear fails', words);
  return purpose === 'change' ? unknown(message) : unavailable(message);
}

function normalForm(type: string): string {
  return type.toLowerCase().replaceAll('_', ' ');
}

/** Reads a rate limit, which comes as an error in an answer of any status. */
function rateLimitOf(answer: Answer, nowMs: number): Wait | undefined {
  const isLimit = errorsIn(answer).some(
    ({ extensions }) => extensions?.code === 'RATELIMITED' || extensions?.type === 'ratelimited',
  );
  if (!isLimit && answer.status !== 429) return undefined;
  const askedMs = askedWait(answer, nowMs);
  if (askedMs !== undefined) return { retryAfterMs: askedMs, isMinimum: false };
  const resets = LIMITS.flatMap((limit) => {
    const resetMs = numberIn(answer, `x-ratelimit-${limit}-reset`);
    return answer.header(`x-ratelimit-${limit}-remaining`) === '0' && resetMs !== undefined ? [resetMs - nowMs] : [];
  });
  if (resets.length === 0) return { retryAfterMs: MIN_WAIT_MS, isMinimum: true };
  return { retryAfterMs: Math.max(0, ...resets), isMinimum: false };
}
