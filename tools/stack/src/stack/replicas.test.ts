import { describe, expect, it } from '@jest/globals';
import { APPS } from './apps.ts';
import { withReplicas } from './replicas.ts';

describe('CLEW_REPLICAS', () => {
  it('says how many of each there are, with a front before those that are called at one address', () => {
    const apps = withReplicas(APPS, 'gateway=2,jobs-worker=3');
    const of = (name: string) => apps.find((app) => app.name === name);
    expect(of('gateway')).toMatchObject({ instances: 2, hasFront: true });
    expect(of('jobs-worker')).toMatchObject({ instances: 3, hasFront: false });
    expect(of('datasets-svc')).toBe(APPS.find(({ name }) => name === 'datasets-svc'));
  });

  it.each([
    ['nope=2', 'there is no nope'],
    ['gateway', '"gateway" is not <app>=<count>'],
    ['gateway=0', '"gateway=0" is not <app>=<count>'],
    ['model-runtime-agent=2', 'model-runtime-agent has a disk of its own'],
  ])('%s is refused', (text, reason) => {
    expect(() => withReplicas(APPS, text)).toThrow(reason);
  });
});
