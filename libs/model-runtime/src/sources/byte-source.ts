import type { Readable } from 'node:stream';

/** Expected digest of the content, if its source states one. */
export type ExpectedDigest =
  { readonly algorithm: 'sha256'; readonly hex: string } | { readonly algorithm: 'git-sha1'; readonly hex: string };

export interface OpenedRange {
  /** Whether the body is the requested range; otherwise it is the whole content from the first byte. */
  ranged: boolean;
  body: Readable;
}

/** Remote bytes that can be read in parts. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** Identity of the bytes; if it changes, data fetched before is useless. */
  readonly identity: string;
  /** Digest of the artifact itself; undefined if the source does not know it. */
  readonly expected: ExpectedDigest | undefined;
  /** Reads from `start` up to, but not including, `end`. Throws SourceError. */
  open(start: number, end: number, signal: AbortSignal): Promise<OpenedRange>;
  /** Extracts the artifact from the fetched bytes; absent if they are the artifact. */
  extract?(fetchedPath: string, artifactPath: string, signal: AbortSignal): Promise<void>;
}

/** Failure of a read that may pass. Any other error thrown by `open` ends the download. */
export class SourceError extends Error {
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { retryAfterMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'SourceError';
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Closes an unwanted body: reading it to its end could take a whole file. */
export function abandon(body: Readable): void {
  // The client reports the requested end as an error.
  body.on('error', () => undefined);
  body.destroy();
}
