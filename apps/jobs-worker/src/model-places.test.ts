import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { createModelPlaces, type ModelPlaces } from './model-places.ts';

const never = () => new Promise<never>(() => undefined);

let stopping: AbortController;

beforeEach(() => {
  stopping = new AbortController();
});
afterEach(() => stopping.abort());

/** Builds the arguments of a command whose consumer stops after the test. */
function commandOf(projectId: string, model = 'loop/wise') {
  return [
    { projectId, data: { model } },
    { signal: stopping.signal, heartbeat: () => undefined },
  ] as const;
}

/** Fills that many places of a project, or of a provider, with work that never ends. */
function fill(inPlace: ModelPlaces, projectId: string, count: number, model?: string): void {
  for (let each = 0; each < count; each += 1) inPlace(...commandOf(projectId, model), never).catch(() => undefined);
}

const said = async () => 'said';

describe('places for commands that wait for models', () => {
  it('are kept for other projects, and for other providers than the local one, whatever never ends', async () => {
    const inPlace = createModelPlaces({ places: 4, share: 1 });
    fill(inPlace, 'prj_a', 10);
    fill(inPlace, 'prj_b', 10, 'self/tiny');
    fill(inPlace, 'prj_c', 10, 'self/tiny');
    expect(await inPlace(...commandOf('prj_d'), said)).toBe('said');
    expect(await inPlace(...commandOf('prj_c', 'other/wise'), said)).toBe('said');
  });

  it('are waited for with heartbeats, which end with the wait', async () => {
    const inPlace = createModelPlaces({ places: 1, share: 1 });
    const first = Promise.withResolvers<void>();
    void inPlace(...commandOf('prj_a'), () => first.promise);
    let heartbeats = 0;
    const [command] = commandOf('prj_b');
    const second = inPlace(
      command,
      { signal: stopping.signal, heartbeat: () => (heartbeats += 1) },
      async () => heartbeats,
    );
    await eventually(() => expect(heartbeats).toBeGreaterThan(0));
    first.resolve();
    expect(await second).toBe(heartbeats);
  });

  it('are given up after a while: the command goes back untried', async () => {
    const inPlace = createModelPlaces({ places: 1, share: 1, patienceMs: 20 });
    fill(inPlace, 'prj_a', 1);
    expect(await inPlace(...commandOf('prj_b'), said)).toMatchObject({
      ...{ status: 'later', retryAfterMs: 0, isBudget: false, isUntried: true },
    });
  });

  it('are held for as long as the work takes: patience is for waiting alone', async () => {
    const inPlace = createModelPlaces({ places: 1, share: 1, patienceMs: 20 });
    const failing = async () => {
      await sleep(60);
      throw new Error('failed');
    };
    await expect(inPlace(...commandOf('prj_a'), failing)).rejects.toThrow('failed');
  });

  it('are waited for no longer once the consumer gives up', async () => {
    const inPlace = createModelPlaces({ places: 1, share: 1 });
    fill(inPlace, 'prj_a', 1);
    const stop = new AbortController();
    const [command, { heartbeat }] = commandOf('prj_b');
    const waiting = inPlace(command, { signal: stop.signal, heartbeat }, said);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });
});
