import type { IncomingMessage } from 'node:http';
import { AppError } from '@clew/kernel';

/** Condition of `If-Match` on a resource; always met without the header. */
export interface Precondition {
  /** Throws PRECONDITION_FAILED if the resource no longer has an entity tag that the caller named. */
  check(etag: string): void;
}

const ENTITY_TAG = /(?:W\/)?"[^"]*"/g;

/** Reads `If-Match` (RFC 9110, 13.1.1): `*`, or a list of entity tags, of which only strong ones can match. */
export function preconditionOf(request: IncomingMessage): Precondition {
  const header = request.headers['if-match']?.trim();
  const allowed: readonly string[] | undefined =
    header === undefined || header === '*' ? undefined : (header.match(ENTITY_TAG) ?? []);
  return {
    check(etag) {
      if (allowed === undefined || allowed.includes(etag)) return;
      throw new AppError('PRECONDITION_FAILED', 'It has changed since the version that If-Match names', {
        headers: { etag },
      });
    },
  };
}
