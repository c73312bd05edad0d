import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runClew } from './run.ts';
import { errorBody, startDescribedApi, writeJson, type DescribedApi } from './test-support/described-api.ts';
import { fakeIo, NOW_MS, type FakeIo } from './test-support/fake-io.ts';

let api: DescribedApi;
beforeAll(async () => {
  api = await startDescribedApi();
});
afterAll(() => api.close());
beforeEach(() => api.reset());

const world = () => fakeIo({ env: { CLEW_URL: api.url, CLEW_API_KEY: 'clew_live_test', CLEW_PROJECT: 'prj_1' } });

const finding = (id: string, severity = 'high', updatedAt = NOW_MS) => ({
  ...{ id, severity, updatedAt, title: 'a title', reviewStatus: 'unreviewed', occurrenceCount: 1 },
  ...{ resolutionStatus: 'unresolved', lastDetectedAt: NOW_MS, agents: [], snoozedUntil: null },
});

/** Answers the list with one page after another, and the last one again and again. */
function listing(...pages: object[][]): void {
  api.answer('/findings', (response) =>
    writeJson(response, 200, {
      findings: pages.length > 1 ? pages.shift() : pages[0],
      pagination: { limit: 100, nextCursor: null },
    }),
  );
}

const tells = (response: ServerResponse, ...changes: object[]) =>
  response.write(changes.map((change) => `data: ${JSON.stringify(change)}\n\n`).join(''));

const open = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });

const changeOf = (id: string, type = 'finding') => ({ type, id, at: NOW_MS });
const READY = { type: 'ready', id: null, at: NOW_MS };

const shownBy = (io: FakeIo) => [...io.out().matchAll(/fnd_\d/g)].map(([id]) => id);

describe('clew findings watch', () => {
  it('shows the latest, then each one that appears or changes, once for each change', async () => {
    listing([finding('fnd_2'), finding('fnd_1')]);
    api.answer('/findings/fnd_1', (response) => writeJson(response, 200, finding('fnd_1', 'high', NOW_MS + 1)));
    api.answer('/findings/fnd_2', (response) => writeJson(response, 200, finding('fnd_2')));
    api.answer('/findings/fnd_3', (response) => writeJson(response, 200, finding('fnd_3')));
    const io = world();
    api.answer('/findings/fnd_4', (response) => {
      writeJson(response, 200, finding('fnd_4'));
      io.interrupt();
    });
    api.answer('/events', (response) => {
      open(response);
      tells(
        response,
        READY,
        changeOf('cnv_1', 'conversation'),
        changeOf('fnd_2'),
        changeOf('fnd_3'),
        changeOf('fnd_1'),
      );
      tells(response, changeOf('fnd_3'), changeOf('fnd_4'));
    });
    expect(await runClew(['findings', 'watch'], io)).toBe(130);
    expect(shownBy(io).slice(0, 4)).toEqual(['fnd_1', 'fnd_2', 'fnd_3', 'fnd_1']);
  });

  it('shows those alone that are wanted', async () => {
    listing([finding('fnd_2', 'low'), finding('fnd_1', 'critical')]);
    const io = world();
    api.answer('/findings/fnd_3', (response) => writeJson(response, 200, finding('fnd_3', 'medium')));
    api.answer('/events', (response) => {
      open(response);
      tells(response, READY, changeOf('fnd_3'));
      response.end();
      io.interrupt();
    });
    await runClew(['findings', 'watch', '--severity', 'critical,high'], io, { maxRetries: 0 });
    expect(shownBy(io)).toEqual(['fnd_1']);
  });

  it('reads the list again after a gap, since nobody knows what was missed', async () => {
    listing([finding('fnd_1')], [finding('fnd_2'), finding('fnd_1')]);
    const io = world();
    api.answer('/events', (response) => {
      open(response);
      tells(response, READY, READY);
      response.end();
    });
    await runClew(['findings', 'watch'], io, { maxRetries: 0 });
    expect(shownBy(io)).toEqual(['fnd_1', 'fnd_2']);
  });

  it('asks again and again where the API tells no changes', async () => {
    listing([finding('fnd_1')], [finding('fnd_1')], [finding('fnd_2'), finding('fnd_1')], [finding('fnd_3')]);
    api.answer('/events', (response) => writeJson(response, 404, errorBody('NOT_FOUND')));
    const io = world();
    const write = io.stdout.write.bind(io.stdout);
    io.stdout.write = async (data) => {
      await write(data);
      if (String(data).includes('fnd_3')) io.interrupt();
    };
    expect(await runClew(['findings', 'watch'], io)).toBe(130);
    expect(shownBy(io)).toEqual(['fnd_1', 'fnd_2', 'fnd_3']);
  });
});
