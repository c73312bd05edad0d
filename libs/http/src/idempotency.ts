import type { Request } from 'express';
import {
  AppError,
  canonicalJson,
  parseIdempotencyKey,
  type IdempotencyStore,
  type IdempotentAttempt,
  type IdempotentReply,
} from '@clew/kernel';
import type { Caller } from './caller.ts';

const HEADER = 'idempotency-key';
export const REPLAYED_HEADER = 'idempotent-replayed';

/** Returns the key that a request names, without quotes; undefined if it names none. */
export function idempotencyKeyOf(request: Pick<Request, 'headersDistinct'>): string | undefined {
  const given = request.headersDistinct[HEADER];
  return given === undefined ? undefined : parseIdempotencyKey(given);
}

/** Begins an attempt for a request with an `Idempotency-Key`; undefined if it names none. */
export async function beginIdempotent(
  store: IdempotencyStore,
  request: Request,
  caller: Caller | undefined,
  body: unknown,
): Promise<{ attempt: IdempotentAttempt } | { reply: IdempotentReply } | undefined> {
  const key = idempotencyKeyOf(request);
  if (key === undefined) return undefined;
  const [path = '', query = ''] = request.url.split('?', 2);
  const { kind = 'none', id = '' } = caller?.principal ?? {};
  return store.begin({
    scope: [kind, id, request.method, path],
    key,
    fingerprint: store.fingerprintOf(fingerprintText(query, body)),
  });
}

/** Attempt that knows whether its reply was recorded. */
export interface NotedAttempt extends IdempotentAttempt {
  isRecorded(): boolean;
}

export function noted(attempt: IdempotentAttempt): NotedAttempt {
  let recorded = false;
  return {
    ...attempt,
    async record(tx, reply) {
      await attempt.record(tx, reply);
      recorded = true;
    },
    isRecorded: () => recorded,
  };
}

/** Renewal interval: a quarter of the time for which the store lets an attempt hold its key. */
const RENEW_EVERY_MS = 5_000;

/** Holds the key of an attempt until its work has ended, however long that takes. */
export async function heldWhile<Result>(
  attempt: IdempotentAttempt,
  work: Promise<Result>,
  everyMs = RENEW_EVERY_MS,
): Promise<Result> {
  // If a renewal fails, the transaction of the next step detects it.
  const renewing = setInterval(() => void attempt.renew().catch(() => undefined), everyMs);
  try {
    return await work;
  } finally {
    clearInterval(renewing);
  }
}

function fingerprintText(query: string, body: unknown): string {
  try {
    return `${query}\n${body === undefined ? '' : canonicalJson(body)}`;
  } catch (error) {
    throw new AppError('MALFORMED_BODY', 'The body holds text that is not well-formed Unicode', { cause: error });
  }
}
