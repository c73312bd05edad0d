import type { Readable } from 'node:stream';

/** What the content is expected to be, as far as its source says. */
export type ExpectedDigest =
  { readonly algorithm: 'sha256'; readonly hex: string } | { readonly algorithm: 'git-sha1'; readonly hex: string };

export interface OpenedRange {
  /** Whether the body is the range that was asked for; otherwise it is everything from the first byte on. */
  ranged: boolean;
  body: Readable;
}

/** Bytes that can be read in parts from somewhere else, now. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** Another text means other bytes: what was fetched of them is of no use any more. */
  readonly identity: string;
  /** Of the artifact itself; absent where the source does not know it. */
  readonly expected: ExpectedDigest | undefined;
  /** Reads from `start` up to and without `end`. Throws SourceError. */
  open(start: number, end: number, signal: AbortSignal): Promise<OpenedRange>;
  /** Writes the artifact out of the fetched bytes; absent where they are the artifact. */
  extract?(fetchedPath: string, artifactPath: string, signal: AbortSignal): Promise<void>;
}

/** A read that failed in a way that may pass. Anything else that `open` throws ends the download. */
export class SourceError extends Error {
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { retryAfterMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'SourceError';
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Closes a body that is not wanted: reading it to its end could take a whole file. */
export function abandon(body: Readable): void {
  // The client reports the end that was asked for as an error.
  body.on('error', () => undefined);
  body.destroy();
}
