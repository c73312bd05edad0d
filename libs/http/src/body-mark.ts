import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError } from '@clew/kernel';

/**
 * What a body that comes as a stream is known by: `<bytes>:<SHA-256>` of all that has come so far, as it was sent. With
 * the mark of what an earlier attempt was sent, it throws IDEMPOTENCY_KEY_REUSED once the body proves to be another.
 */
export class BodyMark {
  readonly #hash = createHash('sha256');
  readonly #expected: { bytes: number; mark: string } | undefined;
  #bytes = 0;
  #isKnown: boolean;

  constructor(expected?: string) {
    this.#expected = expected === undefined ? undefined : { bytes: Number.parseInt(expected, 10), mark: expected };
    this.#isKnown = expected === undefined || this.#expected?.bytes === 0;
  }

  /** True once all that was sent before has come again. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  get text(): string {
    return `${this.#bytes}:${this.#hash.copy().digest('base64url')}`;
  }

  update(chunk: Buffer): void {
    const left = this.#isKnown || this.#expected === undefined ? chunk.length : this.#expected.bytes - this.#bytes;
    this.#add(chunk.subarray(0, left));
    if (!this.#isKnown && this.#bytes === this.#expected?.bytes) {
      if (this.text !== this.#expected.mark) throw anotherBody();
      this.#isKnown = true;
    }
    this.#add(chunk.subarray(left));
  }

  /** To be called when the body has ended. */
  end(): void {
    if (!this.#isKnown) throw anotherBody();
  }

  #add(bytes: Buffer): void {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }
}

/** Reads a body without keeping it; throws IDEMPOTENCY_KEY_REUSED where it is not the one of the mark. */
export async function requireSameBody(request: IncomingMessage, mark: string): Promise<void> {
  const body = new BodyMark(mark);
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (body.isKnown) throw anotherBody();
      body.update(chunk);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('MALFORMED_BODY', 'The body ended early', { cause: error });
  } finally {
    // What is left is read and dropped, so that the caller gets its answer.
    request.resume();
  }
  if (body.text !== mark) throw anotherBody();
}

function anotherBody(): AppError {
  return new AppError('IDEMPOTENCY_KEY_REUSED', 'The Idempotency-Key was used for another request');
}
