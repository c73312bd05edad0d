import { parseArgs } from 'node:util';
import { runCommandLine, withTemporaryStack } from '@clew/stack';
import { ownModelHub } from './own-model-hub.ts';
import { runJest, type TestCounts } from './run-jest.ts';

const E2E_TIMEOUT_MS = 60_000;

const USAGE = "Usage: npm test [-- [--only <part of a phase's name>] [<beginning of a path>...]]";

/** Makes services check their own answers, so that a wrong answer fails a test. */
const CHECKED = { CLEW_CHECK_RESPONSES: 'true' };

interface Phase {
  name: string;
  /** Folders of its tests. */
  folders: readonly string[];
  /** Runs the test files whose path contains one of the patterns. */
  run(patterns: readonly string[]): Promise<TestCounts>;
}

const PHASES: readonly Phase[] = [
  {
    name: 'unit and integration',
    folders: ['libs/', 'apps/', 'tools/'],
    run: (patterns) => runJest({ patterns, options: ['--maxWorkers=2'], withServers: true }),
  },
  {
    name: 'end to end',
    folders: ['e2e/'],
    run: async (patterns) =>
      withTemporaryStack({ ...CHECKED, ...(await ownModelHub()) }, async ({ env, keepLogs }) => {
        // Runs one file at a time: some of them kill processes that others use.
        const options = ['--runInBand', `--testTimeout=${E2E_TIMEOUT_MS}`];
        const counts = await runJest({ patterns, options, env });
        if (counts.failed > 0) process.stderr.write(`What the services logged is in ${await keepLogs()}\n`);
        return counts;
      }),
  },
];

/**
 * Runs `npm test`: every test at its small counts. `--only <part of a phase's name>` runs one phase; path prefixes
 * select test files: `npm test -- e2e/src/model`.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { only: { type: 'string', default: '' } },
    allowPositionals: true,
  });
  const wanted = PHASES.filter(({ name }) => name.includes(values.only)).map((phase) => ({
    ...phase,
    patterns: positionals.length === 0 ? phase.folders : positionals.filter((path) => isBelow(phase.folders, path)),
  }));
  const total: TestCounts = { passed: 0, failed: 0, skipped: 0 };
  for (const phase of wanted.filter(({ patterns }) => patterns.length > 0)) {
    const startedAtMs = Date.now();
    process.stdout.write(`\n== ${phase.name}\n`);
    const counts = await phase.run(phase.patterns).catch((error: unknown) => {
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

function isBelow(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => path.startsWith(folder));
}

function describe({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

process.exitCode = await runCommandLine(USAGE, main);
