import type { IncomingMessage } from 'node:http';
import { AppError } from '@clew/kernel';

/** What `If-Match` asks of a resource; without the header nothing. */
export interface Precondition {
  /** Throws PRECONDITION_FAILED when the resource is no longer one that the caller has named. */
  check(etag: string): void;
}

const ENTITY_TAG = /(?:W\/)?"[^"]*"/g;

/** Reads `If-Match` (RFC 9110, 13.1.1): `*`, or a list of entity tags of which strong ones can match. */
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
