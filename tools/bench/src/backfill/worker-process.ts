import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressVariable } from '@clew/contracts';
import { findFreePort, NODE_ARGUMENTS } from '@clew/stack';
import { startLogging, type Child } from '../support/child.ts';
import type { MeasuredForm } from '../support/measured-form.ts';
import type { Servers } from '../support/servers.ts';
import { waitForAnswer } from '../support/wait-for-answer.ts';

export interface WorkerOptions {
  folder: string;
  name: string;
  servers: Servers;
  from: MeasuredForm;
  warehouseUrl: string;
  modelRuntimeUrl: string;
  /** Only an extraction calls it, where a model can judge. */
  knowledgeUrl: string;
}

const APP_FOLDER = join(import.meta.dirname, '../../../../apps/jobs-worker');

/** Starts the real jobs-worker; resolves once it is connected. */
export async function startWorker(options: WorkerOptions): Promise<Child> {
  const { folder, name, servers, from, warehouseUrl, modelRuntimeUrl, knowledgeUrl } = options;
  const privateKeyFile = join(folder, `${name}.pem`);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(privateKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const port = await findFreePort();
  const script = join(APP_FOLDER, from, from === 'dist' ? 'main.js' : 'main.ts');
  const child = startLogging(script, join(folder, `${name}.log`), {
    nodeOptions: NODE_ARGUMENTS,
    env: {
      ...{ HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'info', AMQP_URL: servers.amqpUrl },
      IDENTITY_PRIVATE_KEY_FILE: privateKeyFile,
      [addressVariable('telemetry-warehouse')]: warehouseUrl,
      [addressVariable('model-runtime-svc')]: modelRuntimeUrl,
      // Commands of collection come in no benchmark that starts a worker alone.
      [addressVariable('diagnostics-svc')]: knowledgeUrl,
      [addressVariable('knowledge-svc')]: knowledgeUrl,
    },
  });
  await waitForAnswer(`http://127.0.0.1:${port}/readyz`);
  return child;
}
