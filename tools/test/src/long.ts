import { runCommandLine, UsageError, withTemporaryStack } from '@clew/stack';
import { ownModelHub } from './own-model-hub.ts';
import { runJest, type TestCounts } from './run-jest.ts';

/** The list of globs takes all that follows it, up to the next option. */
const LONG_FILES = ['--testMatch=**/src/**/*.ltest.ts', '--runInBand'];

/** Engines are asked for and removed again hundreds of times: none is to be fetched. */
const NO_PACKAGES = { PIP_INDEX_URL: 'http://127.0.0.1:9/simple/' };

/** The tests that take long at their full counts, by name. */
const LONG_TESTS: Readonly<Record<string, () => Promise<TestCounts>>> = {
  crash: () =>
    withTemporaryStack({}, ({ env }) =>
      runJest({ patterns: ['e2e/src/crash'], options: ['--runInBand'], env: { ...env, CLEW_CRASH_SPANS: '5000' } }),
    ),
  datasets: async () => {
    const splits = await runJest({ patterns: ['apps/datasets-svc/'], options: LONG_FILES });
    const files = await withTemporaryStack({}, ({ env }) =>
      runJest({ patterns: ['e2e/src/large-files'], options: LONG_FILES, env }),
    );
    return { passed: splits.passed + files.passed, failed: splits.failed + files.failed, skipped: 0 };
  },
  downloads: () =>
    runJest({ patterns: ['apps/model-runtime-svc/src/agent/transfer/kill'], env: { CLEW_DOWNLOAD_KILLS: '20' } }),
  models: () =>
    runJest({
      patterns: ['apps/model-runtime-svc/'],
      options: LONG_FILES,
      withServers: true,
    }),
  messaging: () =>
    runJest({
      patterns: ['libs/messaging/'],
      options: LONG_FILES,
      withServers: true,
    }),
  schemathesis: async () =>
    withTemporaryStack({ ...(await ownModelHub()), ...NO_PACKAGES }, ({ env: { CLEW_HOME, HF_ENDPOINT } }) =>
      // The test fetches a package itself.
      runJest({ patterns: ['e2e/src/schemathesis'], options: LONG_FILES, env: { CLEW_HOME, HF_ENDPOINT } }),
    ),
};

/** `npm run test:long -- <name>`: full counts of crash, fault and scale tests; each prints its figures. */
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
