import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_MASKING, deedRecorded, type TelemetrySettings } from '@clew/contracts';
import { useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { keyWith, service as serviceNamed } from '@clew/testing/identities';
import { useTestDatabase } from '../test-support/database.ts';
import { QUIET_MS } from '../test-support/stores.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { chatSpan, PROJECT_ID, spansMessage } from '../test-support/spans.ts';

const environment = useTestEnvironment();
const database = useTestDatabase(environment, { keepBetweenTests: true });
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment, database.current);
});
afterAll(() => service.stop());

interface Settings {
  settings: TelemetrySettings;
}

const principal = keyWith('workspace:read', 'workspace:write');
const settings = '/telemetry/settings';
const patch = (body: unknown) => service.call({ method: 'PATCH' as const, path: settings, body, principal });

const DEFAULTS = {
  ...{ telemetryRetentionDays: 90, rawPayloadRetentionDays: 30 },
  ...{ snapshotRetentionDays: 7, maintenanceIntervalHours: 24, successScores: [] },
  ...{ masking: DEFAULT_MASKING, contentCapture: 'full' },
};

describe('telemetry settings', () => {
  it('are those of the design in a project that set nothing, and what it has set from then on', async () => {
    expect((await service.call({ path: settings, principal })).body).toEqual({ settings: DEFAULTS });
    const changed = { settings: { ...DEFAULTS, rawPayloadRetentionDays: 1 } };
    expect(await patch({ rawPayloadRetentionDays: 1 })).toMatchObject({ status: 200, body: changed });
    expect((await service.call({ path: settings, principal })).body).toEqual(changed);
    const deeds = await emittedMessages(database.current, deedRecorded, PROJECT_ID);
    expect(deeds.map(({ data }) => data)).toMatchObject([
      {
        action: 'telemetry-settings.changed',
        ...{ before: { rawPayloadRetentionDays: 30 }, after: { rawPayloadRetentionDays: 1 } },
      },
    ]);
  });

  it('name the scores that count, each once, with a threshold or without; a change replaces the list', async () => {
    const { rawPayloadRetentionDays } = (await service.call<Settings>({ path: settings, principal })).body.settings;
    const named = [{ name: 'csat', atLeast: 4 }, { name: 'resolved' }, { name: 'loss', atLeast: -0.5 }];
    const changed = { settings: { ...DEFAULTS, rawPayloadRetentionDays, successScores: named } };
    expect((await patch({ successScores: [{ ...named[0], name: ' csat ' }, ...named.slice(1)] })).body).toEqual(
      changed,
    );
    expect((await service.call({ path: settings, principal })).body).toEqual(changed);
    expect((await patch({ snapshotRetentionDays: 7 })).body).toEqual(changed);
    const most = Array.from({ length: 50 }, (_, at) => ({ name: `score ${at}`, atLeast: at }));
    expect((await patch({ successScores: most })).body).toMatchObject({ settings: { successScores: most } });
    expect((await patch({ successScores: [] })).body).toMatchObject({ settings: { successScores: [] } });
  });

  it.each([
    ['nothing to change', {}, 'body'],
    [
      'a score that is named twice',
      { successScores: [{ name: 'a' }, { name: 'a ', atLeast: 1 }] },
      'body.successScores',
    ],
    ['51 scores', { successScores: Array.from({ length: 51 }, (_, at) => ({ name: `${at}` })) }, 'body.successScores'],
    ['a score without a name', { successScores: [{ name: ' ', atLeast: 1 }] }, 'body.successScores.0.name'],
    ['a threshold that is no number', { successScores: [{ name: 'a', atLeast: 'x' }] }, 'body.successScores.0.atLeast'],
    ['a threshold of no known kind', { successScores: [{ name: 'a', atMost: 1 }] }, 'body.successScores.0'],
    ['an unknown field', { days: 3 }, 'body'],
    ['no day', { telemetryRetentionDays: 0 }, 'body.telemetryRetentionDays'],
    ['words that outlive their records', { rawPayloadRetentionDays: 91 }, 'body.rawPayloadRetentionDays'],
    [
      'records that go before their words',
      { telemetryRetentionDays: 5, rawPayloadRetentionDays: 6 },
      'body.rawPayloadRetentionDays',
    ],
  ])('refuse %s with 400 and stay as they are', async (_name, body, path) => {
    const before = (await service.call({ path: settings, principal })).body;
    expect(await patch(body)).toMatchObject({
      status: 400,
      body: { details: expect.arrayContaining([expect.objectContaining({ path })]) },
    });
    expect((await service.call({ path: settings, principal })).body).toEqual(before);
  });
});

describe('retention', () => {
  it('says of each mechanism what it removed, when it last ran, and what it has yet to do', async () => {
    const none = { removed: {}, removedInTotal: {}, isRunning: false, backlog: 0, oldestAgeMs: 0 };
    await service.sweepAll();
    const { body } = await service.call({ path: '/telemetry/retention', principal });
    const ran = {
      ...none,
      lastRunAt: service.clock.now(),
      removed: expect.any(Object),
      removedInTotal: expect.any(Object),
    };
    expect(body).toEqual({ retention: { telemetry: ran, rawPayload: ran, maintenance: ran } });
  });
});

describe('the figures of health signals', () => {
  it('show conversations that nobody assembles, until somebody does', async () => {
    const read = async () => {
      const path = '//internal/v1/health/telemetry';
      return (await service.call({ path, principal: serviceNamed('gateway') })).body['assembly'];
    };
    expect(await read()).toEqual({ backlog: 0, oldestAgeMs: 0, givenUp: 0 });
    await service.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 1, said: 'hello', answered: 'hi' })] }));
    service.clock.advance(QUIET_MS + 600_000);
    expect(await read()).toEqual({ backlog: 1, oldestAgeMs: 600_000, givenUp: 0 });
    await service.settleAll();
    expect(await read()).toEqual({ backlog: 0, oldestAgeMs: 0, givenUp: 0 });
  });
});
