import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Compares two texts in constant time, whatever their lengths. */
export function isSameSecret(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

/** Tells whether a text is one of the secrets. Every secret is compared, so that the time tells nothing. */
export function isOneOf(given: string | undefined, secrets: readonly string[]): boolean {
  const matches = usable(secrets).map((secret) => isSameSecret(given ?? '', secret));
  return given !== undefined && given !== '' && matches.includes(true);
}

/** Tells whether a text is the HMAC SHA-256 of a body, in hexadecimal digits, under one of the secrets. */
export function isHexHmac(given: string | undefined, body: Uint8Array, secrets: readonly string[]): boolean {
  const digests = usable(secrets).map((secret) => createHmac('sha256', secret).update(body).digest('hex'));
  return isOneOf(given, digests);
}

/** Tells whether a header of Standard Webhooks holds the signature of a message under one of the secrets. */
export function isStandardSignature(
  { id, timestamp, signatures }: { id: string; timestamp: string; signatures: string },
  body: Uint8Array,
  secrets: readonly string[],
): boolean {
  const keys = usable(secrets).map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
  const digests = keys
    .filter((key) => key.length > 0)
    .map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64'));
  const given = signatures.split(' ').filter((signature) => signature.startsWith('v1,'));
  return given.map((signature) => isOneOf(signature.slice('v1,'.length), digests)).includes(true);
}

/** An empty secret would be known to everyone. */
function usable(secrets: readonly string[]): string[] {
  return secrets.filter((secret) => secret !== '');
}
