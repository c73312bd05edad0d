import type { Clock } from '@clew/kernel';
import type { z } from 'zod';
import { done, refused, unavailable, unknown, type Later, type Outcome, type Refused } from '../tracker/outcome.ts';
import { said, withWords } from './said.ts';
import { send, type Answer, type HttpRequest, type Purpose, type TrackerFetch } from './send.ts';

/** Wait that a provider asks for. */
export interface Wait {
  retryAfterMs: number | null;
  isMinimum: boolean;
}

/** Differences between the APIs of the providers. */
export interface ApiRules {
  /** Name of the provider, for messages. */
  name: string;
  /** Returns the wait if the answer is a rate limit. */
  waitOf(answer: Answer, nowMs: number): Wait | undefined;
  /** Returns the words in which the answer explains itself. */
  wordsOf(answer: Answer): unknown[];
  /** Explains an answer in another way than by its status alone. */
  refusalOf?(answer: Answer, words: string): Refused | undefined;
}

export interface ApiOptions {
  fetch: TrackerFetch;
  clock: Clock;
  rules: ApiRules;
  /** Secrets that messages must not repeat. */
  secrets: readonly string[];
}

export interface Api {
  /**
   * Sends a request. Done is an answer with a status below 300 or in `pass`; everything else is refused, postponed or
   * unknown.
   */
  answer(request: HttpRequest, signal: AbortSignal, pass?: readonly number[]): Promise<Outcome<Answer>>;
  /** Judges an answer by its status, for the statuses in `pass` that turn out to be failures. */
  judged(answer: Answer, purpose: Purpose): Outcome<Answer>;
  /** Sends a request and checks the JSON of its answer. */
  value<Schema extends z.ZodType>(
    request: HttpRequest,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<Outcome<z.output<Schema>>>;
  /** Checks the JSON of an answer that is done. */
  checked<Schema extends z.ZodType>(answer: Answer, schema: Schema, purpose: Purpose): Outcome<z.output<Schema>>;
}

const REQUEST_TIMEOUT = 408;

export function createApi({ fetch, clock, rules, secrets }: ApiOptions): Api {
  const api: Api = {
    async answer(request, signal, pass = []) {
      const sent = await send(fetch, request, signal);
      if (sent.kind !== 'answer') return sent;
      const { answer } = sent;
      const wait = rules.waitOf(answer, clock.now());
      if (wait !== undefined) return rateLimited(rules.name, wait);
      return pass.includes(answer.status) ? done(answer) : api.judged(answer, request.purpose);
    },
    judged(answer, purpose) {
      if (answer.status < 300) return done(answer);
      const words = said(rules.wordsOf(answer), secrets);
      if (answer.status < 500 && answer.status !== REQUEST_TIMEOUT) {
        return rules.refusalOf?.(answer, words) ?? refusalByStatus(rules.name, answer.status, words);
      }
      const message = withWords(`${rules.name} answers ${answer.status}`, words);
      return purpose === 'change' ? unknown(message) : unavailable(message);
    },
    async value(request, schema, signal) {
      const answered = await api.answer(request, signal);
      return answered.kind === 'done' ? api.checked(answered.value, schema, request.purpose) : answered;
    },
    checked({ json }, schema, purpose) {
      const { data, success } = schema.safeParse(json);
      if (success) return done(data);
      if (purpose === 'test')
        return refused('address', `The server at this address does not answer like ${rules.name}`);
      const message = `${rules.name} answers in a form that is not understood`;
      return purpose === 'change' ? unknown(message) : unavailable(message);
    },
  };
  return api;
}

export function rateLimited(name: string, { retryAfterMs, isMinimum }: Wait): Later {
  return {
    kind: 'later',
    reason: 'rate_limited',
    message: `${name} limits the rate of calls`,
    retryAfterMs,
    isMinimum,
  };
}

function refusalByStatus(name: string, status: number, words: string): Refused {
  if (status < 400) return refused('address', `${name} redirects to another address, which is not followed`);
  if (status === 401) return refused('credentials', withWords(`${name} does not accept the credentials`, words));
  if (status === 403)
    return refused('permission', withWords(`The credentials are not allowed to do this at ${name}`, words));
  if (status === 404 || status === 410) {
    return refused('destination', withWords(`${name} does not show the destination to these credentials`, words));
  }
  return refused('content', withWords(`${name} rejects the request`, words));
}
