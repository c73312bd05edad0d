import { z } from 'zod';

const Base64 = z.base64();

/** Stored secret: encrypted with its own data key, which is encrypted with the deployment's key. */
export const SecretEnvelope = z.object({
  v: z.literal(1),
  /** Id of the deployment key that wraps the data key. */
  kid: z.string(),
  /** Nonce, encrypted data key and tag. */
  wrappedDek: Base64,
  iv: Base64,
  ct: Base64,
  tag: Base64,
});
export type SecretEnvelope = z.infer<typeof SecretEnvelope>;

/**
 * Place where a secret is stored. It is authenticated with the secret, so that an envelope copied elsewhere does not
 * open.
 */
export interface SecretPlace {
  tenant: string;
  collection: string;
  id: string;
  field: string;
}

/** Encodes the place as additional data; parts are length-prefixed, so that no two places have the same encoding. */
export function additionalData({ tenant, collection, id, field }: SecretPlace): Buffer {
  return Buffer.from([tenant, collection, id, field].map((part) => `${Buffer.byteLength(part)}:${part}`).join('|'));
}
