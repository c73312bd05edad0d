import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nativeDb } from '@clew/persistence';
import type { ApiKey } from '@clew/contracts';
import { explainSent, fixedClock, type FixedClock, monitored, propertyRuns, useTestEnvironment } from '@clew/testing';
import type { BootstrapResult } from '../bootstrap.ts';
import { makeWorkspace, openTestDatabase, startTestGateway, type TestGateway } from '../test-support/gateway.ts';
import { testKey } from '../test-support/keys.ts';
import { apiKeyModel, toDocument } from './api-key.model.ts';
import { createApiKeyStore } from './api-keys.store.ts';

interface Made {
  apiKey: ApiKey;
  secret: string;
}

const HOUR_MS = 3_600_000;
const NEVER = Number.MAX_SAFE_INTEGER;

const environment = useTestEnvironment();
let gateway: TestGateway;
let clock: FixedClock;
let stack: BootstrapResult;

beforeAll(async () => {
  clock = fixedClock(Date.now());
  gateway = await startTestGateway(environment, { clock, variables: { RATE_LIMIT_PER_SECOND: '100000' } });
  stack = await makeWorkspace(gateway.database);
});
afterAll(() => gateway.stop());

const keysOf = (projectId: string) => `/v1/projects/${projectId}/api-keys`;
const keys = () => keysOf(stack.projectId);

function ask(by: string, body: Record<string, unknown> = {}) {
  const wanted = { name: 'n', scopes: ['workspace:admin', 'workspace:read'], ...body };
  return gateway.ask<Made & { details?: { path: string; message: string }[] }>(by, 'POST', keys(), wanted);
}

async function make(by: string, body: Record<string, unknown> = {}): Promise<Made> {
  const answer = await ask(by, body);
  expect(answer.status).toBe(201);
  return answer.body;
}

async function rotate(by: string, keyId: string, graceMs = HOUR_MS): Promise<Made> {
  const answer = await gateway.ask<Made>(by, 'POST', `${keys()}/${keyId}/rotate`, { graceMs });
  expect(answer.status).toBe(201);
  return answer.body;
}

const revokeBranch = (by: string, keyId: string) =>
  gateway.ask<{ revoked: string[] }>(by, 'DELETE', `${keys()}/${keyId}?withDescendants=true`);
const statusOf = async (secret: string) => (await gateway.ask(secret, 'GET', '/v1/me')).status;

describe('a key that a key makes', () => {
  it('ends with its maker where it names no end, and so does what it makes itself', async () => {
    const expiresAt = clock.now() + HOUR_MS;
    const parent = await make(stack.apiKey, { expiresAt });
    const child = await make(parent.secret);
    const grandchild = await make(child.secret, { expiresAt: null });
    expect([child.apiKey.expiresAt, grandchild.apiKey.expiresAt]).toEqual([expiresAt, expiresAt]);
    expect([child.apiKey.createdBy, grandchild.apiKey.createdBy]).toEqual([parent.apiKey.id, child.apiKey.id]);
    const earlier = await make(child.secret, { expiresAt: expiresAt - 1 });
    expect(earlier.apiKey.expiresAt).toBe(expiresAt - 1);
  });

  it('cannot be asked to outlive its maker, and the answer says until when it may live', async () => {
    const expiresAt = clock.now() + HOUR_MS;
    const parent = await make(stack.apiKey, { expiresAt });
    const { status, body } = await ask(parent.secret, { expiresAt: expiresAt + 1 });
    const message = `must not be later than that of the key that makes it (${expiresAt})`;
    expect([status, body.details]).toEqual([400, [{ path: 'body.expiresAt', message }]]);
  });

  it('by rotating another one outlives neither', async () => {
    const [soon, late] = [clock.now() + HOUR_MS, clock.now() + 2 * HOUR_MS];
    const rotator = await make(stack.apiKey, { expiresAt: soon });
    const limited = await make(stack.apiKey, { expiresAt: soon });
    const open = await make(stack.apiKey);
    expect((await rotate(rotator.secret, open.apiKey.id)).apiKey.expiresAt).toBe(soon);
    expect((await rotate(stack.apiKey, limited.apiKey.id)).apiKey.expiresAt).toBe(soon);
    const own = await make(stack.apiKey, { expiresAt: late });
    const successor = await rotate(own.secret, own.apiKey.id, 0);
    expect(successor.apiKey).toMatchObject({ expiresAt: late, createdBy: own.apiKey.id });
  });

  it('ends with the grace time of a maker that was rotated before', async () => {
    const parent = await make(stack.apiKey);
    await rotate(stack.apiKey, parent.apiKey.id, HOUR_MS);
    expect((await make(parent.secret)).apiKey.expiresAt).toBe(clock.now() + HOUR_MS);
  });
});

describe('revoking a key', () => {
  it('alone leaves what it made as it is', async () => {
    const parent = await make(stack.apiKey);
    const child = await make(parent.secret);
    const { status } = await gateway.ask(stack.apiKey, 'DELETE', `${keys()}/${parent.apiKey.id}?withDescendants=false`);
    expect([status, await statusOf(parent.secret), await statusOf(child.secret)]).toEqual([204, 401, 200]);
  });

  it('with its descendants names them, makers first, also long after it was revoked alone, and a repeat names nobody', async () => {
    const parent = await make(stack.apiKey);
    const child = await make(parent.secret);
    const grandchild = await make(child.secret);
    await gateway.ask(stack.apiKey, 'DELETE', `${keys()}/${child.apiKey.id}`);
    const answer = await revokeBranch(stack.apiKey, parent.apiKey.id);
    expect([answer.status, answer.body]).toEqual([200, { revoked: [parent.apiKey.id, grandchild.apiKey.id] }]);
    expect((await revokeBranch(stack.apiKey, parent.apiKey.id)).body).toEqual({ revoked: [] });
    expect((await revokeBranch(stack.apiKey, 'key_00000000000000000000000000')).body).toEqual({ revoked: [] });
    const audit = nativeDb(gateway.database.connection).collection('audit');
    expect(await audit.findOne({ 'target.id': grandchild.apiKey.id, action: 'api-key.revoked' })).toMatchObject({
      after: { descendedFrom: parent.apiKey.id },
    });
  });

  it('with its descendants takes a successor of its own making along, and leaves that of another maker', async () => {
    const [self, other] = [await make(stack.apiKey), await make(stack.apiKey)];
    const [child, grandchild] = [await make(other.secret), await make(self.secret)];
    const renewed = await rotate(self.secret, self.apiKey.id);
    const replaced = await rotate(stack.apiKey, other.apiKey.id);
    const taken = await revokeBranch(stack.apiKey, self.apiKey.id);
    expect(taken.body.revoked.toSorted()).toEqual([self.apiKey.id, grandchild.apiKey.id, renewed.apiKey.id].toSorted());
    expect((await revokeBranch(stack.apiKey, other.apiKey.id)).body.revoked).toEqual([
      other.apiKey.id,
      child.apiKey.id,
    ]);
    expect(await statusOf(replaced.secret)).toBe(200);
  });

  it('with its descendants takes the successors of those along, whoever rotated them', async () => {
    const parent = await make(stack.apiKey);
    const child = await make(parent.secret);
    const renewed = await rotate(stack.apiKey, child.apiKey.id);
    const last = await rotate(stack.apiKey, renewed.apiKey.id);
    const { body } = await revokeBranch(stack.apiKey, parent.apiKey.id);
    expect(body.revoked).toEqual([parent, child, renewed, last].map(({ apiKey }) => apiKey.id));
    expect(await statusOf(last.secret)).toBe(401);
  });

  it('with its descendants is not for a manager with fewer rights, nor for another workspace', async () => {
    const manager = await make(stack.apiKey, { scopes: ['workspace:admin'] });
    const parent = await make(stack.apiKey);
    const child = await make(parent.secret, { scopes: ['workspace:admin'] });
    expect((await revokeBranch(manager.secret, parent.apiKey.id)).status).toBe(403);
    const foreign = await makeWorkspace(gateway.database);
    const path = `${keysOf(foreign.projectId)}/${parent.apiKey.id}?withDescendants=true`;
    expect((await gateway.ask(foreign.adminApiKey, 'DELETE', path)).body).toEqual({ revoked: [] });
    expect([await statusOf(parent.secret), await statusOf(child.secret)]).toEqual([200, 200]);
  });

  it('with its descendants takes a branch of many', async () => {
    const parent = await make(stack.apiKey);
    const { workspaceId } = stack;
    const many = Array.from({ length: 450 }, (_, index) => {
      const createdBy = index === 0 ? parent.apiKey.id : '';
      return testKey({ workspaceId, projectIds: [stack.projectId], createdBy }).key;
    });
    many.forEach((key, index) => {
      // Key tree: the first 10 form a chain, and all others are spread below them.
      if (index > 0) key.createdBy = many[index < 10 ? index - 1 : index % 10]?.id ?? '';
    });
    await apiKeyModel(gateway.database.connection).insertMany(many.map(toDocument));
    const { body } = await revokeBranch(stack.apiKey, parent.apiKey.id);
    expect(new Set(body.revoked)).toEqual(new Set([parent.apiKey.id, ...many.map(({ id }) => id)]));
    expect(body.revoked).toHaveLength(451);
  });

  it('with its descendants leaves none of those that it makes meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const parent = await make(stack.apiKey);
      const child = await make(parent.secret);
      const making = [parent, child].flatMap(({ secret, apiKey }) => [
        ...Array.from({ length: 4 }, () => ask(secret)),
        gateway.ask<Made>(secret, 'POST', `${keys()}/${apiKey.id}/rotate`, {}),
      ]);
      const revoking = revokeBranch(stack.apiKey, parent.apiKey.id);
      const answers = await Promise.all(making);
      expect((await revoking).status).toBe(200);
      for (const { status, body } of answers) {
        expect([201, 401, 404]).toContain(status);
        if (status === 201) expect(await statusOf(body.secret)).toBe(401);
      }
    }
  });
});

interface Deed {
  kind: 'make' | 'rotate';
  by: number;
  target: number;
  /** Undefined means the request names no expiry. */
  endsInMs: number | undefined;
}
interface Known extends Made {
  expiresAt: number;
  isRotated: boolean;
}

const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('make' as const, 'rotate' as const),
    by: fc.nat(99),
    target: fc.nat(99),
    endsInMs: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  }),
  { minLength: 4, maxLength: 14 },
);

/** Performs a sequence of key operations, starting from one root key, and asserts the expected answer of each. */
async function grow(root: Made, wanted: readonly Deed[]): Promise<Known[]> {
  const known: Known[] = [{ ...root, expiresAt: root.apiKey.expiresAt ?? NEVER, isRotated: false }];
  for (const { kind, by, target, endsInMs } of wanted) {
    const maker = known[by % known.length] as Known;
    const old = known[target % known.length] as Known;
    if (kind === 'make') {
      const expiresAt = endsInMs === undefined ? undefined : clock.now() + endsInMs * HOUR_MS;
      const { status, body } = await ask(maker.secret, { expiresAt });
      expect(status).toBe((expiresAt ?? 0) > maker.expiresAt ? 400 : 201);
      if (status !== 201) continue;
      expect(body.apiKey.expiresAt ?? NEVER).toBe(expiresAt ?? maker.expiresAt);
      known.push({ ...body, expiresAt: body.apiKey.expiresAt ?? NEVER, isRotated: false });
    } else if (!old.isRotated) {
      const made = await rotate(maker.secret, old.apiKey.id, HOUR_MS);
      const expiresAt = Math.min(old.expiresAt, maker.expiresAt);
      expect(made.apiKey.expiresAt ?? NEVER).toBe(expiresAt);
      Object.assign(old, { isRotated: true, expiresAt: Math.min(old.expiresAt, clock.now() + HOUR_MS) });
      known.push({ ...made, expiresAt, isRotated: false });
    }
  }
  return known;
}

function descendantsOf(known: readonly Known[], rootId: string): Set<string> {
  const found = new Set([rootId]);
  // Makers and predecessors come before their descendants.
  for (const { apiKey } of known) {
    const { id, createdBy, rotatedFrom } = apiKey;
    const succeeds = rotatedFrom !== null && rotatedFrom !== rootId && found.has(rotatedFrom);
    if (found.has(createdBy) || succeeds) found.add(id);
  }
  return found;
}

describe('keys that come of each other, however they were made and rotated', () => {
  it('never outlive what they came of, and are revoked with it, no more and no fewer', async () => {
    await fc.assert(
      fc.asyncProperty(deeds, fc.nat(99), async (wanted, chosen) => {
        const root = await make(stack.apiKey, { expiresAt: clock.now() + 8 * HOUR_MS });
        const known = await grow(root, wanted);
        const given = new Map(known.map(({ apiKey }) => [apiKey.id, apiKey.expiresAt ?? NEVER]));
        for (const { apiKey } of known) {
          for (const id of descendantsOf(known, apiKey.id)) {
            expect(given.get(id)).toBeLessThanOrEqual(apiKey.expiresAt ?? NEVER);
          }
        }
        const revoked = known[chosen % known.length] as Known;
        const { body } = await revokeBranch(stack.apiKey, revoked.apiKey.id);
        const expected = descendantsOf(known, revoked.apiKey.id);
        expect(new Set(body.revoked)).toEqual(expected);
        for (const { apiKey, secret } of known) {
          expect(await statusOf(secret)).toBe(expected.has(apiKey.id) ? 401 : 200);
        }
      }),
      propertyRuns(8),
    );
  });
});

describe('the walk to descendants', () => {
  it('is read in the order of its indexes', async () => {
    const database = await openTestDatabase(environment, monitored(environment.mongoUrl));
    const apiKeys = createApiKeyStore(database);
    const explained = await explainSent(database, () =>
      database.withTransaction((tx) =>
        apiKeys.descending(tx, { makers: ['a', 'b'], predecessors: ['a', 'b'] }, { afterId: 'a', limit: 10 }),
      ),
    );
    const plans = explained.map(({ plan }) => plan).filter((plan) => plan.startsWith('find'));
    expect(plans).toEqual([expect.stringMatching(/IXSCAN$/)]);
    await database.close();
  });
});
