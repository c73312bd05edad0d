import { retryAfterMs, type Clock } from '@clew/kernel';
import { refusalIn, type Outbound } from '@clew/outbound';
import { mailAddressOf, type WebhookFormat } from '@clew/contracts';
import type { Mailer } from '@clew/mail';
import { bodyOf, type SentEvent } from './body.ts';
import { letterOf } from './letter.ts';
import { signatureHeaders } from './sign.ts';

/** Outcome of one try. */
export interface TryOutcome {
  at: number;
  ok: boolean;
  statusCode: number | null;
  durationMs: number;
  /** Why it failed; without the address. */
  error: string | null;
  /** First bytes of the body that was answered. */
  answer: string | null;
  /** Whether the receiver says that it is gone for good. */
  isGone: boolean;
  /** Time for which the receiver asks to be left alone. */
  retryAfterMs: number | undefined;
}

export interface Receiver {
  url: string;
  format: WebhookFormat;
  keys: readonly Buffer[];
}

/**
 * Sends events once, of which only a letter holds more than one; undefined if the signal ended it, so that nothing is
 * known. Never throws for a receiver.
 */
export type Send = (
  receiver: Receiver,
  events: readonly [SentEvent, ...SentEvent[]],
  signal?: AbortSignal,
) => Promise<TryOutcome | undefined>;

export interface SendOptions {
  outbound: Pick<Outbound, 'fetch'>;
  mailer: Pick<Mailer, 'attempt'>;
  clock: Clock;
  /** Time until the whole head of an answer must be there. */
  timeoutMs: number;
  /** Address at which people reach Clew, for links in messages that they read. */
  publicUrl: string;
}

const MAX_ANSWER_BYTES = 512;
/** Time for the first bytes of a body: they are only for the log. */
const ANSWER_PATIENCE_MS = 1_000;
const UNSEEN = /[^\P{Cc}\t\n]/gu;
type Answer = Awaited<ReturnType<Outbound['fetch']>>;

export function createSend(options: SendOptions): Send {
  const post = createPost(options);
  const mail = createMail(options);
  return async (receiver, events, signal) => {
    const { url, format, keys } = receiver;
    if (format !== 'email') return await post({ url, format, keys }, events[0], signal);
    return await mail(mailAddressOf(url) ?? '', events);
  };
}

/** Creates the function that sends letters; the mailer has a deadline of its own. */
function createMail({ mailer, clock, publicUrl }: SendOptions) {
  return async (address: string, events: readonly SentEvent[]): Promise<TryOutcome> => {
    const at = clock.now();
    const startedMs = performance.now();
    const reason = await mailer.attempt(letterOf(address, events, publicUrl));
    return {
      ...{ at, durationMs: Math.round(performance.now() - startedMs), ok: reason === undefined },
      error: reason === undefined ? null : `The mail server did not take the letter (${reason})`,
      ...{ statusCode: null, answer: null, isGone: false, retryAfterMs: undefined },
    };
  };
}

interface HttpReceiver extends Receiver {
  format: Exclude<WebhookFormat, 'email'>;
}

function createPost({ outbound, clock, timeoutMs, publicUrl }: SendOptions) {
  return async (
    { url, format, keys }: HttpReceiver,
    event: SentEvent,
    signal: AbortSignal | undefined,
  ): Promise<TryOutcome | undefined> => {
    const at = clock.now();
    const startedMs = performance.now();
    const late = AbortSignal.timeout(timeoutMs);
    const cancelled = new AbortController();
    const ends = [late, cancelled.signal, ...(signal === undefined ? [] : [signal])];
    const body = bodyOf(format, event, publicUrl);
    const signed = { id: event.eventId, timestampSeconds: Math.floor(at / 1_000), body };
    const ended = (rest: Omit<TryOutcome, 'at' | 'durationMs'>): TryOutcome => ({
      ...{ at, durationMs: Math.round(performance.now() - startedMs) },
      ...rest,
    });
    try {
      const answer = await outbound.fetch(url, {
        ...{ method: 'POST', body, signal: AbortSignal.any(ends) },
        headers: {
          ...{ 'content-type': 'application/json', 'user-agent': 'Clew-Webhooks/1.0', 'accept-encoding': 'identity' },
          ...{ 'x-clew-event': event.type, ...signatureHeaders(keys, signed) },
        },
      });
      const firstBytes = await firstBytesOf(answer);
      cancelled.abort();
      return ended(answered(answer, firstBytes, clock.now()));
    } catch (error) {
      if (signal?.aborted === true) return undefined;
      const reason = late.aborted ? `No answer came within ${timeoutMs / 1_000} s` : failureOf(error);
      return ended({
        ok: false,
        statusCode: null,
        error: reason,
        answer: null,
        isGone: false,
        retryAfterMs: undefined,
      });
    }
  };
}

function answered({ status, headers }: Answer, answer: string | null, nowMs: number) {
  const ok = status >= 200 && status < 300;
  return {
    ...{ ok, statusCode: status, answer, isGone: status === 410, error: ok ? null : problemOf(status) },
    retryAfterMs: ok ? undefined : retryAfterMs(headers.get('retry-after'), nowMs),
  };
}

function problemOf(status: number): string {
  if (status >= 300 && status < 400) return `The receiver answered ${status}: redirects are not followed`;
  return `The receiver answered ${status}`;
}

/** Reads as much of a body as the log keeps, for a short time; what follows, and what goes wrong, does not matter. */
async function firstBytesOf({ body }: Answer): Promise<string | null> {
  if (body === null) return null;
  const reader = body.getReader();
  const patience = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => patience.resolve(undefined), ANSWER_PATIENCE_MS);
  const chunks: Uint8Array[] = [];
  try {
    for (let length = 0; length < MAX_ANSWER_BYTES;) {
      const read = await Promise.race([reader.read(), patience.promise]);
      if (read?.value === undefined) break;
      chunks.push((read.value as Uint8Array).subarray(0, MAX_ANSWER_BYTES - length));
      length += (read.value as Uint8Array).length;
    }
  } catch {
    // The receiver cut its answer; its status has arrived.
  } finally {
    clearTimeout(timer);
  }
  const text = Buffer.concat(chunks).toString().toWellFormed().replace(UNSEEN, '');
  return text === '' ? null : text;
}

/** Describes a failure without the address, which may hold a secret. */
function failureOf(error: unknown): string {
  const refusal = refusalIn(error);
  if (refusal !== undefined) return refusal.message;
  for (let cause = error; typeof cause === 'object' && cause !== null;) {
    const { code, cause: next } = cause as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)) return `The connection failed (${code})`;
    cause = next;
  }
  return 'The connection failed';
}
