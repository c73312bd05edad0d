import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '@clew/kernel';

/** Information of a process about itself. */
export interface ServiceInfo {
  service: string;
  version: string;
  deploymentTarget: 'server' | 'edge';
  startedAtMs: number;
}

/** Reads the information of a process; its version is that of the app's package.json, in the folder `appFolder`. */
export function readServiceInfo(
  appFolder: string,
  { service, deploymentTarget = 'server' }: { service: string; deploymentTarget?: ServiceInfo['deploymentTarget'] },
): ServiceInfo {
  const { version } = readJson(readFileSync(join(appFolder, 'package.json'), 'utf8')) as { version: string };
  return { service, version, deploymentTarget, startedAtMs: Date.now() };
}
