import { parseArgs } from 'node:util';
import { findFreePort, withTemporaryStack } from '@clew/stack';
import { runJest, type TestCounts } from './run-jest.ts';

const E2E_TIMEOUT_MS = 60_000;

/** A wrong answer of a service should fail a test, not reach it. */
const CHECKED = { CLEW_CHECK_RESPONSES: 'true' };

interface Phase {
  name: string;
  /** Runs all test files of the phase, or those whose path holds one of the words. */
  run(files: readonly string[]): Promise<TestCounts>;
}

const PHASES: readonly Phase[] = [
  {
    name: 'unit and integration',
    run: (files) =>
      runJest({
        patterns: files.length === 0 ? ['libs/', 'apps/', 'tools/'] : files,
        options: ['--maxWorkers=2'],
        withServers: true,
      }),
  },
  {
    name: 'end to end',
    run: async (files) =>
      withTemporaryStack({ ...CHECKED, ...(await ownModelHub()) }, ({ env }) =>
        // One file after the other: some of them kill what the others use.
        runJest({
          patterns: files.length === 0 ? ['e2e/'] : files,
          options: ['--runInBand', `--testTimeout=${E2E_TIMEOUT_MS}`],
          env,
        }),
      ),
  },
];

/** The stack's model hub is the loopback hub that a test starts at this address, and away for all others. */
async function ownModelHub(): Promise<NodeJS.ProcessEnv> {
  return { HF_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`, HF_TOKEN: '', HF_HUB_OFFLINE: '' };
}

/**
 * `npm test`: every test at its small counts. `--only <part of a phase's name>` runs one phase, and paths run only the
 * test files that hold one of them: `npm test -- --only end e2e/src/model`.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { only: { type: 'string', default: '' } },
    allowPositionals: true,
  });
  const total: TestCounts = { passed: 0, failed: 0, skipped: 0 };
  for (const phase of PHASES.filter(({ name }) => name.includes(values.only))) {
    const startedAtMs = Date.now();
    process.stdout.write(`\n== ${phase.name}\n`);
    const counts = await phase.run(positionals).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      return { passed: 0, failed: 1, skipped: 0 };
    });
    process.stdout.write(`== ${phase.name}: ${describe(counts)}, ${Math.round((Date.now() - startedAtMs) / 1000)} s\n`);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
  }
  process.stdout.write(`\n${describe(total)}\n`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

function describe({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

process.exitCode = await main();
