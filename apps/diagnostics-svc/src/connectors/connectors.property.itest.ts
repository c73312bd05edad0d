import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { deedRecorded, TRACKER_PROVIDERS, type NewConnector } from '@clew/contracts';
import { createCursorCodec, newId } from '@clew/kernel';
import { createAuditTrail, createOutbox, createTombstones, type Database } from '@clew/persistence';
import { createSecretBox } from '@clew/secrets';
import { fixedClock, propertyRuns, useTestEnvironment } from '@clew/testing';
import { loopbackOutbound } from '@clew/testing/issue-trackers';
import { openTestDatabase } from '../test-support/service.ts';
import { connectorSetCollection } from './connector.model.ts';
import { createConnectorStore } from './connectors.store.ts';
import { createConnectorsService, type ConnectorsService } from './connectors.service.ts';

const environment = useTestEnvironment();
const AUTH_SECRET = 'a secret of the tests, which is long enough';
const RUNS = propertyRuns(8);
const clock = fixedClock(1_780_000_000_000);
let database: Database;
let service: ConnectorsService;

beforeAll(async () => {
  database = await openTestDatabase(environment);
  service = createConnectorsService({
    ...{ database, clock, connectors: createConnectorStore(database), tombstones: createTombstones(database) },
    audit: createAuditTrail(createOutbox(database), deedRecorded, clock),
    secrets: createSecretBox({ authSecret: AUTH_SECRET }),
    outbound: loopbackOutbound(),
    cursors: createCursorCodec(randomBytes(32)),
  });
});

afterAll(() => database.close());

const index = fc.nat(5);
const provider = fc.constantFrom(...TRACKER_PROVIDERS.slice(0, 2));
const isDefault = fc.option(fc.boolean(), { nil: undefined });
const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), provider, isDefault }),
  fc.record({ kind: fc.constant('prefer' as const), index, isDefault: fc.boolean() }),
  fc.record({ kind: fc.constant('remove' as const), index }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Connectors as a list with flags, of which each provider has at most one. */
class Model {
  connectors: { id: string; provider: string; isDefault: boolean }[] = [];

  prefer(id: string, isTheDefault: boolean): void {
    const { provider: of } = this.connectors.find((each) => each.id === id)!;
    for (const each of this.connectors) {
      if (each.id === id) each.isDefault = isTheDefault;
      else if (isTheDefault && each.provider === of) each.isDefault = false;
    }
  }
}

async function run(projectId: string, model: Model, taken: Step): Promise<void> {
  const doer = { actor: { kind: 'key' as const, id: 'key_1' }, address: null, requestId: newId('req') };
  const conditions = { doer, check: () => undefined };
  if (taken.kind === 'create') {
    const { provider: of, isDefault: wanted } = taken;
    const hasDefault = model.connectors.some((each) => each.provider === of && each.isDefault);
    const input = { provider: of, credentials: { token: 'x' }, enabled: true, isDefault: wanted } as NewConnector;
    const { id } = await service.create(projectId, input, doer, async () => undefined);
    model.connectors.push({ id, provider: of, isDefault: false });
    model.prefer(id, wanted ?? !hasDefault);
    return;
  }
  const known = model.connectors[taken.index];
  if (known === undefined) return;
  const key = { projectId, connectorId: known.id };
  if (taken.kind === 'prefer') {
    await service.update(key, { isDefault: taken.isDefault }, conditions);
    model.prefer(known.id, taken.isDefault);
  } else {
    await service.remove(key, conditions);
    await service.remove(key, conditions);
    model.connectors = model.connectors.filter((each) => each !== known);
  }
}

it('a provider has one default or none, and the set agrees with the connectors, whatever is done', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const projectId = newId('prj');
      const model = new Model();
      for (const taken of steps) {
        clock.advance(1);
        await run(projectId, model, taken);
        const { connectors } = await service.list(projectId, { limit: 100 });
        const seen = connectors.map(({ id, provider: of, isDefault: flag }) => ({ id, provider: of, isDefault: flag }));
        expect(seen.toReversed()).toEqual(model.connectors);
      }
      const set = await connectorSetCollection(database).findOne({ _id: projectId });
      expect(set?.count ?? 0).toBe(model.connectors.length);
    }),
    RUNS,
  );
}, 120_000);
