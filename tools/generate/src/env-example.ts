import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressVariable, SERVICE_NAMES, serviceDefinition } from '@clew/contracts';
import { ROOT } from './readme/apps.ts';

const ADDRESSES = /(?<=\n# --- where the services are[^\n]*\n)[\s\S]*?(?=\n\n# ---)/;

/** `.env.example` with the addresses of all services, whose ports come from the table of services. */
export function generatedEnvExample(): string {
  const called = SERVICE_NAMES.filter((name) => serviceDefinition(name).isCalled);
  const lines = called.map((name) => `${addressVariable(name)}=http://127.0.0.1:${serviceDefinition(name).port}`);
  return readFileSync(join(ROOT, '.env.example'), 'utf8').replace(ADDRESSES, [...portComment(), ...lines].join('\n'));
}

/** Default port of each process, for running several on one machine. */
function portComment(): string[] {
  return SERVICE_NAMES.map((name) => `# PORT=${serviceDefinition(name).port} for ${name}`);
}
