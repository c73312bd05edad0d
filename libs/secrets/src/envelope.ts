import { z } from 'zod';

const Base64 = z.base64();

/** A secret as it is stored: encrypted with a data key of its own, which is encrypted with the deployment's key. */
export const SecretEnvelope = z.object({
  v: z.literal(1),
  /** Which deployment key wraps the data key. */
  kid: z.string(),
  /** Nonce, encrypted data key and tag. */
  wrappedDek: Base64,
  iv: Base64,
  ct: Base64,
  tag: Base64,
});
export type SecretEnvelope = z.infer<typeof SecretEnvelope>;

/** Where a secret is stored. It is authenticated with it, so that an envelope copied elsewhere does not open. */
export interface SecretPlace {
  tenant: string;
  collection: string;
  id: string;
  field: string;
}

/** The place as additional data; parts are length-prefixed, so that no two places read the same. */
export function additionalData({ tenant, collection, id, field }: SecretPlace): Buffer {
  return Buffer.from([tenant, collection, id, field].map((part) => `${Buffer.byteLength(part)}:${part}`).join('|'));
}
