import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a process says of itself. */
export interface ServiceInfo {
  service: string;
  version: string;
  deploymentTarget: 'server' | 'edge';
  startedAtMs: number;
}

/** Reads name and version from the app's package.json; `appFolder` is the folder that holds it. */
export function readServiceInfo(appFolder: string, deploymentTarget: 'server' | 'edge'): ServiceInfo {
  const manifest = JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return {
    service: manifest.name.replace(/^@clew\//, ''),
    version: manifest.version,
    deploymentTarget,
    startedAtMs: Date.now(),
  };
}
