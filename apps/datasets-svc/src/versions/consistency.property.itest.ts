import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Dataset, DatasetVersion, Example } from '@clew/contracts';
import { canonicalJson, newId } from '@clew/kernel';
import { createTcpFault, propertyRuns, type TcpFault, useTestEnvironment } from '@clew/testing';
import { type Answer } from '@clew/testing/identities';
import { digestOfContent } from '../examples/index.ts';
import { manualExample, startTestService, type TestService } from '../test-support/service.ts';
import { addContent, contentIdOf, emptyContent } from './content-state.ts';

const RUNS = propertyRuns(6);
const TIMEOUT_MS = 300_000;

const environment = useTestEnvironment();
let service: TestService;
/** Second process, whose connections to the database break. */
let unlucky: TestService;
let fault: TcpFault;

beforeAll(async () => {
  service = await startTestService(environment);
  const { hostname: host, port } = new URL(environment.mongoUrl);
  fault = await createTcpFault({ target: { host, port: Number(port) } });
  unlucky = await startTestService(environment, { mongoUrl: fault.through(environment.mongoUrl) });
});

afterAll(async () => {
  await Promise.all([service.stop(), unlucky.stop()]);
  await fault.close();
});

/** Change of the Dataset; `target` selects one of the Examples known by then. */
type Step = { target: number; text: string; isUnlucky: boolean } & (
  { kind: 'create' | 'update' | 'delete' | 'erase' } | { kind: 'batch'; keys: (string | undefined)[]; query: string }
);

const step: fc.Arbitrary<Step> = fc
  .record({
    target: fc.nat(30),
    text: fc.constantFrom('a', 'b', 'c'),
    isUnlucky: fc.boolean(),
  })
  .chain((common) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant({ ...common, kind: 'create' as const }) },
      { weight: 3, arbitrary: fc.constant({ ...common, kind: 'update' as const }) },
      { weight: 2, arbitrary: fc.constant({ ...common, kind: 'delete' as const }) },
      { weight: 1, arbitrary: fc.constant({ ...common, kind: 'erase' as const }) },
      {
        weight: 3,
        arbitrary: fc
          .record({
            kind: fc.constant('batch' as const),
            keys: fc.array(fc.constantFrom('k1', 'k2', undefined), { minLength: 1, maxLength: 5 }),
            query: fc.constantFrom('', '?onConflict=skip', '?onConflict=update', '?onConflict=update&partial=true'),
          })
          .map((batch) => ({ ...common, ...batch })),
      },
    ),
  );

/** Concurrent steps, and the point at which a connection of the unlucky process breaks. */
const round = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  cut: fc.option(fc.tuple(fc.constantFrom('before', 'after'), fc.constantFrom('commitTransaction', 'insert', 'find')), {
    nil: undefined,
  }),
});

function send(path: string, ids: readonly string[], given: Step): Promise<Answer<unknown>> {
  const by = given.isUnlucky ? unlucky : service;
  const id = ids[given.target % Math.max(ids.length, 1)] ?? newId('ex');
  const payload = { input: { type: 'text', text: given.text } };
  switch (given.kind) {
    case 'create':
      return by.call({ method: 'POST', path: `${path}/examples`, body: manualExample(given.text) });
    case 'update':
      return by.call({ method: 'PATCH', path: `${path}/examples/${id}`, body: { payload } });
    case 'delete':
      return by.call({ method: 'DELETE', path: `${path}/examples/${id}` });
    case 'erase':
      return by.call({ method: 'DELETE', path: `${path}/examples/${id}?erase=true` });
    case 'batch': {
      const examples = given.keys.map((derivationKey, index) =>
        manualExample(`${given.text}${index}`, {
          source: { kind: 'manual', externalRef: 'x', ...(derivationKey === undefined ? {} : { derivationKey }) },
        }),
      );
      return by.call({ method: 'POST', path: `${path}/examples/batch${given.query}`, body: { examples } });
    }
  }
}

async function allOf(path: string, query: string): Promise<Example[]> {
  const found: Example[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await service.call<{ examples: Example[]; nextCursor: string | null }>({
      path: `${path}/examples?limit=7${query}${more}`,
    });
    found.push(...body.examples);
    cursor = body.nextCursor;
  }
  return found;
}

/** Content id of these Examples, computed from scratch. */
function contentIdOfAll(examples: readonly Example[]): string {
  const state = emptyContent();
  for (const { source, tags, payload } of examples) {
    addContent(state, digestOfContent(canonicalJson({ source, tags, payload })));
  }
  return contentIdOf(state, examples.length);
}

async function versionsOf(path: string): Promise<DatasetVersion[]> {
  return (await service.call<{ versions: DatasetVersion[] }>({ path: `${path}/versions?limit=1000` })).body.versions;
}

describe('a Dataset that several processes change at once, over connections that break', () => {
  it(
    'has the count and content id that a recount gives, now and at every version that nothing was erased from',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
          const { path } = await service.newDataset();
          let isErased = false;
          for (const { steps, cut } of rounds) {
            const ids = (await allOf(path, '')).map(({ id }) => id);
            if (cut !== undefined) void (cut[0] === 'before' ? fault.cutBefore(cut[1]) : fault.cutAfter(cut[1]));
            const answers = await Promise.all(steps.map((given) => send(path, ids, given)));
            // Only the requests whose connection broke get a 5xx.
            const failed = answers.filter(({ status }, index) => status >= 500 && steps[index]?.isUnlucky !== true);
            expect(failed).toEqual([]);
            isErased ||= steps.some(({ kind }) => kind === 'erase');
          }
          const [current, dataset] = [await allOf(path, ''), (await service.call<Dataset>({ path })).body];
          expect(dataset.exampleCount).toBe(current.length);
          expect(dataset.contentId).toBe(contentIdOfAll(current));
          const versions = await versionsOf(path);
          expect(versions.map(({ version }) => version)).toEqual(
            Array.from({ length: dataset.version + 1 }, (_, index) => dataset.version - index),
          );
          if (isErased) return;
          for (const { version, contentId, exampleCount } of versions) {
            const then = await allOf(path, `&version=${version}`);
            expect([version, then.length, contentIdOfAll(then)]).toEqual([version, exampleCount, contentId]);
          }
        }),
        { ...RUNS, endOnFailure: true },
      );
    },
    TIMEOUT_MS,
  );
});

describe('a walk over Examples that change meanwhile', () => {
  it(
    'meets each that exists throughout exactly once, and none twice, live and at a version',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 4, maxLength: 16 }),
          fc.integer({ min: 1, max: 6 }),
          fc.boolean(),
          async (steps, limit, atVersion) => {
            const { path } = await service.newDataset();
            const examples = Array.from({ length: 12 }, (_, index) => manualExample(`${index}`));
            for (const part of [examples.slice(0, 5), examples.slice(5)]) {
              service.clock.advance(1);
              await service.call({ method: 'POST', path: `${path}/examples/batch`, body: { examples: part } });
            }
            const ids = (await allOf(path, '')).map(({ id }) => id);
            const version = atVersion ? '&version=2' : '';
            const waiting = steps
              .filter(({ kind }) => kind !== 'erase')
              .map((given) => ({ ...given, isUnlucky: false }));
            const removed = new Set<string>();
            const seen: string[] = [];
            let cursor: string | null = '';
            while (cursor !== null) {
              const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
              const { body } = await service.call<{ examples: Example[]; nextCursor: string | null }>({
                path: `${path}/examples?limit=${limit}${version}${more}`,
              });
              seen.push(...body.examples.map(({ id }) => id));
              cursor = body.nextCursor;
              for (const given of waiting.splice(0, 2)) {
                if (given.kind === 'delete') removed.add(ids[given.target % ids.length] ?? '');
                await send(path, ids, given);
              }
            }
            expect(new Set(seen).size).toBe(seen.length);
            const throughout = ids.filter((id) => atVersion || !removed.has(id));
            expect(throughout.filter((id) => !seen.includes(id))).toEqual([]);
            if (atVersion) expect(seen).toEqual(ids);
          },
        ),
        { ...RUNS, endOnFailure: true },
      );
    },
    TIMEOUT_MS,
  );
});
