import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIdentitySigner, IDENTITY_HEADER } from '@clew/http';
import { findFreePort } from '@clew/stack';
import { startLogging, type Child } from '../support/child.ts';
import type { MeasuredForm } from '../support/measured-form.ts';
import { waitForAnswer } from '../support/wait-for-answer.ts';

/** telemetry-ingest process alone, with the identity that the gateway would send. */
export interface IngestProcess extends Child {
  url: string;
  /** Identity headers, which are created for each request because an identity expires soon. */
  identity(): Readonly<Record<string, string>>;
}

export const PROJECT_ID = `prj_${'0'.repeat(26)}`;
const INGEST_FOLDER = join(import.meta.dirname, '../../../../apps/telemetry-ingest');

/** Starts the real process as in production, from the build output or from the sources. */
export async function startIngest(folder: string, amqpUrl: string, from: MeasuredForm): Promise<IngestProcess> {
  const keysFile = join(folder, 'public-keys.json');
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(keysFile, JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'gateway' }] }));
  const port = await findFreePort();
  const script = join(INGEST_FOLDER, from, from === 'dist' ? 'main.js' : 'main.ts');
  const child = startLogging(script, join(folder, 'telemetry-ingest.log'), {
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'info',
      AMQP_URL: amqpUrl,
      IDENTITY_PUBLIC_KEYS_FILE: keysFile,
      SPOOL_DIRECTORY: join(folder, 'spools'),
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await waitForAnswer(`${url}/readyz`);
  const sign = createIdentitySigner('gateway', privateKey);
  const principal = { kind: 'key', id: 'key_bench', scopes: ['telemetry:write'] } as const;
  return {
    ...child,
    url,
    identity: () => ({ [IDENTITY_HEADER]: sign('telemetry-ingest', 'bench', { principal, projectId: PROJECT_ID }) }),
  };
}
