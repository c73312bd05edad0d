import { hash } from 'node:crypto';

/**
 * The SHA-256 of one Example's canonical JSON, in base64: what the content id of a Dataset needs to know of it, small
 * enough to be kept.
 */
export type ContentDigest = string;

/** Keeps it, and what is derived from it, apart from any other use of the same hash, and names its version. */
const DOMAIN = 'clew/dataset-content/v1\n';

export function digestOfContent(canonicalText: string): ContentDigest {
  return hash('sha256', DOMAIN + canonicalText, 'base64');
}
