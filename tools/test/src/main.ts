import { parseArgs } from 'node:util';
import { withTemporaryStack } from '@clew/stack';
import { runJest, type TestCounts } from './run-jest.ts';

const E2E_TIMEOUT_MS = 60_000;

/** A wrong answer of a service should fail a test, not reach it. */
const CHECKED = { CLEW_CHECK_RESPONSES: 'true' };

interface Phase {
  name: string;
  run(): Promise<TestCounts>;
}

const PHASES: readonly Phase[] = [
  {
    name: 'unit and integration',
    run: () => runJest({ patterns: ['libs/', 'apps/', 'tools/'], options: ['--maxWorkers=2'], withServers: true }),
  },
  {
    name: 'end to end',
    run: () =>
      withTemporaryStack(CHECKED, ({ env }) =>
        // One file after the other: some of them kill what the others use.
        runJest({ patterns: ['e2e/'], options: ['--runInBand', `--testTimeout=${E2E_TIMEOUT_MS}`], env }),
      ),
  },
];

/** `npm test`: every test at its small counts. `--only <part of a phase's name>` runs one phase. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
  const total: TestCounts = { passed: 0, failed: 0, skipped: 0 };
  for (const phase of PHASES.filter(({ name }) => name.includes(values.only))) {
    const startedAtMs = Date.now();
    process.stdout.write(`\n== ${phase.name}\n`);
    const counts = await phase.run().catch((error: unknown) => {
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
