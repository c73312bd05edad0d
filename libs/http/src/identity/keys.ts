import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ServiceName } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import { UsageError } from '@clew/runtime';

/** Name of P-256 in OpenSSL. */
const P_256 = 'prime256v1';

const JwksFile = z.object({
  keys: z.array(
    z.object({ kid: ServiceName, kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() }),
  ),
});

/** Reads the public keys of the signing processes, by process name. Throws a UsageError if the file is invalid. */
export function readPublicKeys(jwksFile: string): ReadonlyMap<string, KeyObject> {
  const text = readKeyFile('IDENTITY_PUBLIC_KEYS_FILE', jwksFile);
  try {
    const { keys } = JwksFile.parse(readJson(text));
    return new Map(
      keys.map((key) => [
        key.kid,
        createPublicKey({ format: 'jwk', key: { kty: key.kty, crv: key.crv, x: key.x, y: key.y } }),
      ]),
    );
  } catch {
    throw new UsageError(
      `IDENTITY_PUBLIC_KEYS_FILE: ${jwksFile} is no JWKS file of P-256 keys with the names of processes`,
    );
  }
}

/** Reads this process's own P-256 key from a PKCS8 PEM file. Throws a UsageError if the file is invalid. */
export function readPrivateKey(pemFile: string): KeyObject {
  const text = readKeyFile('IDENTITY_PRIVATE_KEY_FILE', pemFile);
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyDetails?.namedCurve === P_256) return key;
  } catch {
    // Reported below, without the content of the file.
  }
  throw new UsageError(`IDENTITY_PRIVATE_KEY_FILE: ${pemFile} is no PKCS8 PEM file of a P-256 key`);
}

function readKeyFile(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new UsageError(`${variable}: ${file} cannot be read (${code})`);
  }
}
