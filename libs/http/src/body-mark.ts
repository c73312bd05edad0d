import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError, mayBeSameRequest, type Fingerprint } from '@clew/kernel';

/**
 * Mark that identifies a streamed body: `<bytes>:<fingerprint of the SHA-256>` of everything received so far, as sent.
 * With the mark of an earlier attempt's body, it throws IDEMPOTENCY_KEY_REUSED once the body proves to be different.
 */
export class BodyMark {
  readonly #hash = createHash('sha256');
  readonly #fingerprintOf: Fingerprint;
  readonly #expected: { bytes: number; fingerprint: string } | undefined;
  #bytes = 0;
  #isKnown: boolean;

  constructor(fingerprintOf: Fingerprint, expected?: string) {
    this.#fingerprintOf = fingerprintOf;
    this.#expected = expected === undefined ? undefined : parsed(expected);
    this.#isKnown = expected === undefined || this.#expected?.bytes === 0;
  }

  /** True once everything that the earlier attempt received has come again. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  get text(): string {
    return `${this.#bytes}:${this.#fingerprint}`;
  }

  update(chunk: Buffer): void {
    const left = this.#isKnown || this.#expected === undefined ? chunk.length : this.#expected.bytes - this.#bytes;
    this.#add(chunk.subarray(0, left));
    if (!this.#isKnown && this.#bytes === this.#expected?.bytes) {
      if (!mayBeSameRequest(this.#fingerprint, this.#expected.fingerprint)) throw anotherBody();
      this.#isKnown = true;
    }
    this.#add(chunk.subarray(left));
  }

  /** Must be called when the body has ended. */
  end(): void {
    if (!this.#isKnown) throw anotherBody();
  }

  get #fingerprint(): string {
    return this.#fingerprintOf(this.#hash.copy().digest());
  }

  #add(bytes: Buffer): void {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }
}

/** Reads a body without keeping it; throws IDEMPOTENCY_KEY_REUSED if it does not match the mark. */
export async function requireSameBody(
  request: IncomingMessage,
  mark: string,
  fingerprintOf: Fingerprint,
): Promise<void> {
  const body = new BodyMark(fingerprintOf, mark);
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (body.isKnown) throw anotherBody();
      body.update(chunk);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('MALFORMED_BODY', 'The body ended early', { cause: error });
  } finally {
    // The rest is read and dropped, so that the caller gets its answer.
    request.resume();
  }
  const [sent, known] = [parsed(body.text), parsed(mark)];
  if (sent.bytes !== known.bytes || !mayBeSameRequest(sent.fingerprint, known.fingerprint)) throw anotherBody();
}

function parsed(mark: string): { bytes: number; fingerprint: string } {
  return { bytes: Number.parseInt(mark, 10), fingerprint: mark.slice(mark.indexOf(':') + 1) };
}

function anotherBody(): AppError {
  return new AppError('IDEMPOTENCY_KEY_REUSED', 'The Idempotency-Key was used for another request');
}
