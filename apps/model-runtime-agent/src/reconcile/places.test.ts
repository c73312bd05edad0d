import { describe, expect, it } from '@jest/globals';
import { createPlaces } from './places.ts';

const artifactOf = (wantedBy: string) => ({ kind: 'artifact', desired: 'present', wantedBy }) as const;
const { signal } = new AbortController();

describe('places of what is made', () => {
  it('leave one to other projects, and give them their turn before all that one has', async () => {
    const place = createPlaces({ engine: 1, artifact: 2, service: 1 });
    const begun: string[] = [];
    const enter = async (projectId: string) => {
      const leave = await place(artifactOf(projectId), signal);
      begun.push(projectId);
      return leave;
    };
    const many = Array.from({ length: 4 }, () => enter('prj_many'));
    const [one, two] = [enter('prj_one'), enter('prj_one')];
    (await many[0])!();
    (await one)();
    await two;
    expect(begun.slice(0, 4)).toEqual(['prj_many', 'prj_one', 'prj_many', 'prj_one']);
  });

  it('are needed for nothing that has to go, and given up with what is no longer wanted', async () => {
    const place = createPlaces({ engine: 1, artifact: 1, service: 1 });
    await place(artifactOf('prj_many'), signal);
    const leave = await place({ ...artifactOf('prj_many'), desired: 'absent' }, signal);
    leave();
    const given = new AbortController();
    const waiting = place(artifactOf('prj_one'), given.signal);
    given.abort();
    (await waiting)();
  });
});
