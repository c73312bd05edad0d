import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALLED_SERVICES } from '@clew/contracts/services';
import { runCommandLine, UsageError, withTemporaryStack } from '@clew/stack';
import { ownModelHub } from './own-model-hub.ts';
import { ROOT, runJest, runToEnd, type TestCounts } from './run-jest.ts';

/** The list of globs includes all arguments up to the next option, so an option must follow it. */
const LONG_FILES = ['--testMatch=**/src/**/*.ltest.ts', '--runInBand'];

/** Builds Kubernetes, so it runs as a separate test. */
const CONTROL_PLANE = 'tools/deploy/src/control-plane/';

/** Unreachable package index: the tests request and remove engines hundreds of times, and must not download any. */
const NO_PACKAGES = { PIP_INDEX_URL: 'http://127.0.0.1:9/simple/' };

/** Two replicas of everything that can have several, and three workers. */
const SEVERAL = [...CALLED_SERVICES, 'gateway']
  .map((name) => `${name}=2`)
  .join(',')
  .concat(',jobs-worker=3');

/** Files with properties that need a database, whose usual number of runs is small. */
function propertiesOfDatabases(): string[] {
  const files = globSync('{apps,libs}/*/src/**/*.itest.ts', { cwd: ROOT });
  return files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('propertyRuns('));
}

/** Tests that take long at their full counts, by name. */
const LONG_TESTS: Readonly<Record<string, () => Promise<TestCounts>>> = {
  chaos: () =>
    withTemporaryStack({ CLEW_REPLICAS: SEVERAL }, ({ env }) =>
      runJest({ patterns: ['e2e/src/chaos'], options: LONG_FILES, env }),
    ),
  collection: () =>
    withTemporaryStack({ CLEW_REPLICAS: 'jobs-worker=4' }, ({ env }) =>
      runJest({
        patterns: ['e2e/src/collection'],
        options: LONG_FILES,
        env: { ...env, CLEW_COLLECTION_SEEDS: process.env['CLEW_COLLECTION_SEEDS'] ?? '200' },
      }),
    ),
  contract: () => runJest({ patterns: ['tools/generate/'], options: LONG_FILES }),
  'control-plane': () => runJest({ patterns: [CONTROL_PLANE], options: LONG_FILES }),
  crash: () =>
    withTemporaryStack({}, ({ env }) =>
      runJest({ patterns: ['e2e/src/crash'], options: ['--runInBand'], env: { ...env, CLEW_CRASH_SPANS: '5000' } }),
    ),
  datasets: async () => {
    const splits = await runJest({ patterns: ['apps/datasets-svc/'], options: LONG_FILES });
    const files = await withTemporaryStack({}, ({ env }) =>
      runJest({ patterns: ['e2e/src/large-files'], options: LONG_FILES, env }),
    );
    const crash = await withTemporaryStack({}, ({ env }) =>
      runJest({
        patterns: ['e2e/src/datasets-crash'],
        env: { ...env, CLEW_CRASH_LINES: '10000', CLEW_CRASH_TRANSACTION_SECONDS: '60' },
      }),
    );
    return sumOf([splits, files, crash]);
  },
  deploy: () =>
    runJest({
      patterns: ['tools/deploy/'],
      options: [`--testPathIgnorePatterns=${CONTROL_PLANE}`, ...LONG_FILES],
      // The test of the image of the command line uses them; the others start their own.
      withServers: true,
    }),
  downloads: () =>
    runJest({ patterns: ['apps/model-runtime-agent/src/transfer/kill'], env: { CLEW_DOWNLOAD_KILLS: '20' } }),
  embeddings: async () =>
    withTemporaryStack(await ownModelHub(), ({ env: { CLEW_HOME, HF_ENDPOINT } }) =>
      runJest({ patterns: ['e2e/src/embeddings'], options: LONG_FILES, env: { CLEW_HOME, HF_ENDPOINT } }),
    ),
  fairness: () =>
    withTemporaryStack({}, ({ env }) => runJest({ patterns: ['e2e/src/fairness'], options: LONG_FILES, env })),
  findings: () =>
    runJest({
      patterns: [
        'diagnostics-svc/src/findings/states',
        'diagnostics-svc/src/results/apply-results',
        'diagnostics-svc/src/clusters/clusters.property',
      ],
      env: { CLEW_PROPERTY_RUNS: '10000' },
    }),
  fragments: () =>
    runJest({
      patterns: ['telemetry-warehouse/src/fragments/', 'telemetry-warehouse/src/assembly/crashes'],
      env: { CLEW_PROPERTY_RUNS: '500' },
      withServers: true,
    }),
  hostile: () =>
    runJest({
      patterns: [
        'hostile.test',
        'hostile-values',
        'tools/test/src/patterns/',
        'libs/rules/src/',
        'libs/privacy/src/redaction/',
        'libs/conversation/src/',
      ],
      env: { CLEW_HOSTILE_TEXTS: 'all' },
    }),
  'large-trace': () =>
    withTemporaryStack({}, ({ env }) => runJest({ patterns: ['e2e/src/large-trace'], options: LONG_FILES, env })),
  models: () =>
    runJest({
      patterns: ['apps/model-runtime-svc/'],
      options: LONG_FILES,
      withServers: true,
    }),
  'knowledge-backfills': () =>
    withTemporaryStack({}, ({ env }) =>
      runJest({
        patterns: ['e2e/src/knowledge-backfills'],
        options: ['--runInBand'],
        env: {
          ...env,
          CLEW_BACKFILL_CONVERSATIONS: '10000',
          CLEW_BACKFILL_KILLS: '20',
          CLEW_CRASH_TRANSACTION_SECONDS: '60',
        },
      }),
    ),
  messaging: () =>
    runJest({
      patterns: ['libs/messaging/'],
      options: LONG_FILES,
      withServers: true,
    }),
  packages: () => runJest({ patterns: ['tools/pack/'], options: LONG_FILES }),
  properties: () =>
    runJest({
      patterns: propertiesOfDatabases(),
      options: ['--maxWorkers=2', '--testTimeout=1800000'],
      env: { CLEW_PROPERTY_RUNS: '100' },
      withServers: true,
    }),
  replicas: () =>
    withTemporaryStack({ CLEW_REPLICAS: SEVERAL }, ({ env }) =>
      runJest({ patterns: ['e2e/src/replicas'], options: LONG_FILES, env }),
    ),
  // Starts and stops stacks itself.
  restore: () => runJest({ patterns: ['e2e/src/restore'], options: LONG_FILES }),
  rolling: () =>
    withTemporaryStack({ CLEW_REPLICAS: SEVERAL }, ({ env }) =>
      runJest({ patterns: ['e2e/src/rolling'], options: LONG_FILES, env }),
    ),
  'rule-backfills': () =>
    withTemporaryStack({}, async ({ env }) => {
      await runToEnd([process.execPath, 'tools/stack/start.mjs', 'scale', 'jobs-worker=2'], env);
      return await runJest({
        patterns: ['e2e/src/rule-backfills'],
        options: ['--runInBand'],
        env: { ...env, CLEW_BACKFILL_CONVERSATIONS: '10000', CLEW_BACKFILL_KILLS: '12' },
      });
    }),
  schemathesis: async () =>
    withTemporaryStack({ ...(await ownModelHub()), ...NO_PACKAGES }, ({ env: { CLEW_HOME, HF_ENDPOINT } }) =>
      // The test itself downloads a package.
      runJest({ patterns: ['e2e/src/schemathesis'], options: LONG_FILES, env: { CLEW_HOME, HF_ENDPOINT } }),
    ),
  sdk: () =>
    withTemporaryStack({}, ({ env }) =>
      runJest({
        patterns: ['e2e/src/sdk.e2e'],
        options: ['--runInBand'],
        env: { ...env, CLEW_SDK_FAULTS: '200', CLEW_SDK_WALKED: '100000' },
      }),
    ),
  sdks: () =>
    withTemporaryStack({}, ({ env }) =>
      runJest({ patterns: ['e2e/src/sdks', 'libs/testing/src/hub/'], options: LONG_FILES, env }),
    ),
  // Low limits: in this test, work that has waited for a few seconds has waited too long.
  'sign-in': () =>
    withTemporaryStack({ TRUSTED_PROXIES: '1' }, ({ env }) =>
      runJest({ patterns: ['e2e/src/sign-in'], options: LONG_FILES, env }),
    ),
  shutdown: () =>
    withTemporaryStack({}, ({ env }) =>
      runJest({
        patterns: ['e2e/src/shutdown', 'e2e/src/start.e2e'],
        options: ['--runInBand'],
        env: { ...env, CLEW_SHUTDOWN: 'all' },
      }),
    ),
  signals: () =>
    withTemporaryStack({ SIGNAL_MAX_AGE_MS: '5000', SIGNAL_MAX_RETENTION_AGE_MS: '5000' }, ({ env }) =>
      runJest({ patterns: ['e2e/src/signals'], options: LONG_FILES, env }),
    ),
  'work-items': () =>
    withTemporaryStack({}, ({ env }) =>
      runJest({
        patterns: ['e2e/src/work-items-crash', 'diagnostics-svc/src/work-items/work-item.property'],
        options: ['--runInBand'],
        env: {
          ...env,
          CLEW_WORK_ITEM_SEEDS: process.env['CLEW_WORK_ITEM_SEEDS'] ?? '200',
          CLEW_PROPERTY_RUNS: '10000',
        },
      }),
    ),
  // Every state of every screen in both schemes, and each operation with each failure.
  workbench: () =>
    withTemporaryStack({}, async ({ env }) => {
      const given = { patterns: ['e2e/src/workbench/'], env: { ...env, CLEW_WORKBENCH: 'whole' } };
      return sumOf([
        await runJest({ ...given, options: ['--runInBand'] }),
        await runJest({ ...given, options: LONG_FILES }),
      ]);
    }),
  // Starts and stops a stack itself, with tracing on.
  traces: () => runJest({ patterns: ['e2e/src/traces'], options: LONG_FILES }),
};

function sumOf(runs: readonly TestCounts[]): TestCounts {
  const sum = (of: keyof TestCounts) => runs.reduce((total, counts) => total + counts[of], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** Runs `npm run test:long -- <name>`: crash, fault and scale tests at full counts; each prints its figures. */
async function main([name = '', ...others]: readonly string[]): Promise<number> {
  const test = LONG_TESTS[name];
  if (test === undefined) throw new UsageError(name === '' ? 'the name is missing' : `there is no "${name}"`);
  if (others.length > 0) throw new UsageError(`"${others[0]}" is one too many`);
  const { passed, failed } = await test();
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

const USAGE = `Usage: npm run test:long -- <${Object.keys(LONG_TESTS).join(' | ')}>`;

process.exitCode = await runCommandLine(USAGE, () => main(process.argv.slice(2)));
