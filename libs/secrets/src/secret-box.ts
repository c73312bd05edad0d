import { createHmac, randomBytes } from 'node:crypto';
import { deriveSecret } from '@clew/kernel';
import { decrypt, encrypt, KEY_BYTES, NONCE_BYTES, TAG_BYTES } from './aes-gcm.ts';
import { additionalData, type SecretEnvelope, type SecretPlace } from './envelope.ts';

/**
 * Signals that a stored secret cannot be read: it was written under another AUTH_SECRET, or changed. Contains no
 * secret.
 */
export class SecretUnreadableError extends Error {
  constructor(reason: string) {
    super(`A stored credential cannot be read: ${reason}`);
    this.name = 'SecretUnreadableError';
  }
}

export interface SecretBoxOptions {
  authSecret: string;
  /** Secret before the last rotation: credentials stored under it can be read until they are wrapped again. */
  previousAuthSecret?: string | undefined;
}

/** Encrypts credentials for storage, each bound to its storage place. */
export interface SecretBox {
  /** Id of the key that wraps new envelopes. */
  readonly keyId: string;
  seal(secret: string, place: SecretPlace): SecretEnvelope;
  /** Throws SecretUnreadableError. */
  open(envelope: SecretEnvelope, place: SecretPlace): string;
  /** Wraps the same secret with the current key; the ciphertext stays the same. */
  rewrap(envelope: SecretEnvelope, place: SecretPlace): SecretEnvelope;
}

interface WrappingKey {
  id: string;
  key: Uint8Array;
}

export function createSecretBox({ authSecret, previousAuthSecret }: SecretBoxOptions): SecretBox {
  const previous = previousAuthSecret === undefined ? [] : [deriveSecret(previousAuthSecret, 'kek/v1')];
  return secretBoxOf([deriveSecret(authSecret, 'kek/v1'), ...previous]);
}

/**
 * Creates a secret box from derived keys (`kek/v1`), for a process without the secret itself; the current key is first.
 */
export function secretBoxOf(keys: readonly [Uint8Array, ...Uint8Array[]]): SecretBox {
  const present = wrappingKey(keys[0]);
  const known = new Map(keys.map(wrappingKey).map((each) => [each.id, each]));

  function dataKeyOf(envelope: SecretEnvelope, place: SecretPlace): Buffer {
    const wrapping = known.get(envelope.kid);
    if (wrapping === undefined) {
      throw new SecretUnreadableError(
        'it was stored under another AUTH_SECRET. Set the original value, or name it in AUTH_SECRET_PREVIOUS',
      );
    }
    return readable(() => unwrap(wrapping, envelope.wrappedDek, place));
  }

  return {
    keyId: present.id,
    seal(secret, place) {
      const dataKey = randomBytes(KEY_BYTES);
      const iv = randomBytes(NONCE_BYTES);
      const { ciphertext, tag } = encrypt(dataKey, iv, Buffer.from(secret), additionalData(place));
      return {
        v: 1,
        kid: present.id,
        wrappedDek: wrap(present, dataKey, place),
        iv: iv.toString('base64'),
        ct: ciphertext.toString('base64'),
        tag: tag.toString('base64'),
      };
    },
    open(envelope, place) {
      const dataKey = dataKeyOf(envelope, place);
      const sealed = { ciphertext: Buffer.from(envelope.ct, 'base64'), tag: Buffer.from(envelope.tag, 'base64') };
      const iv = Buffer.from(envelope.iv, 'base64');
      return readable(() => decrypt(dataKey, iv, sealed, additionalData(place))).toString();
    },
    rewrap(envelope, place) {
      return { ...envelope, kid: present.id, wrappedDek: wrap(present, dataKeyOf(envelope, place), place) };
    },
  };
}

/** Computes the id, which distinguishes keys and reveals nothing about them. */
function wrappingKey(key: Uint8Array): WrappingKey {
  return { id: createHmac('sha256', key).update('key id').digest('hex').slice(0, 16), key };
}

function wrap({ key }: WrappingKey, dataKey: Buffer, place: SecretPlace): string {
  const nonce = randomBytes(NONCE_BYTES);
  const { ciphertext, tag } = encrypt(key, nonce, dataKey, additionalData(place));
  return Buffer.concat([nonce, ciphertext, tag]).toString('base64');
}

function unwrap({ key }: WrappingKey, wrapped: string, place: SecretPlace): Buffer {
  const bytes = Buffer.from(wrapped, 'base64');
  const tagStart = bytes.length - TAG_BYTES;
  const sealed = { ciphertext: bytes.subarray(NONCE_BYTES, tagStart), tag: bytes.subarray(tagStart) };
  return decrypt(key, bytes.subarray(0, NONCE_BYTES), sealed, additionalData(place));
}

function readable<T>(work: () => T): T {
  try {
    return work();
  } catch {
    throw new SecretUnreadableError('it was changed, or belongs to another record');
  }
}
