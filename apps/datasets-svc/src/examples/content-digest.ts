import { hash } from 'node:crypto';

/**
 * SHA-256 of an Example's canonical JSON, in Base64. The content id of a Dataset depends on nothing else of an Example,
 * and it is small enough to keep.
 */
export type ContentDigest = string;

/** Domain separator: keeps these hashes apart from other uses of the same function, and names their version. */
const DOMAIN = 'clew/dataset-content/v1\n';

export function digestOfContent(canonicalText: string): ContentDigest {
  return hash('sha256', DOMAIN + canonicalText, 'base64');
}
