import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ServiceName } from '@clew/contracts';
import { readJson } from '@clew/kernel';

const JwksFile = z.object({
  keys: z.array(
    z.object({ kid: ServiceName, kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() }),
  ),
});

/** The public keys of the processes that sign, by process name. */
export function readPublicKeys(jwksFile: string): ReadonlyMap<string, KeyObject> {
  const { keys } = JwksFile.parse(readJson(readFileSync(jwksFile, 'utf8')));
  return new Map(
    keys.map((key) => [
      key.kid,
      createPublicKey({ format: 'jwk', key: { kty: key.kty, crv: key.crv, x: key.x, y: key.y } }),
    ]),
  );
}

/** This process's own P-256 key, from a PKCS8 PEM file. */
export function readPrivateKey(pemFile: string): KeyObject {
  return createPrivateKey(readFileSync(pemFile));
}
