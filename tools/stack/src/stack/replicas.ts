import { StackError } from '../system/errors.ts';
import { GATEWAY } from './apps.ts';
import type { AppDefinition } from './apps.ts';

/**
 * Applications with the number of processes in `CLEW_REPLICAS`, such as `gateway=2,jobs-worker=3`. Those that are
 * called at one address get a front, and can be scaled from then on.
 */
export function withReplicas(apps: readonly AppDefinition[], text = ''): readonly AppDefinition[] {
  const wanted = new Map(
    text
      .split(',')
      .filter((part) => part !== '')
      .map(parse),
  );
  for (const name of wanted.keys()) {
    const app = apps.find((known) => known.name === name);
    if (app === undefined) throw new StackError(`CLEW_REPLICAS: there is no ${name}`);
    if (!canBeSeveral(app)) throw new StackError(`CLEW_REPLICAS: ${name} has a disk of its own, and runs once`);
  }
  return apps.map((app) => {
    const instances = wanted.get(app.name);
    return instances === undefined ? app : { ...app, instances, hasFront: !app.isScalable };
  });
}

function canBeSeveral({ name, isCalled, isScalable }: AppDefinition): boolean {
  return isScalable || isCalled || name === GATEWAY;
}

function parse(part: string): [name: string, count: number] {
  const match = /^([a-z-]+)=([1-9]\d?)$/.exec(part);
  if (match === null) throw new StackError(`CLEW_REPLICAS: "${part}" is not <app>=<count>`);
  return [match[1] ?? '', Number(match[2])];
}
