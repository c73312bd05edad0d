import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommandLine, withTemporaryStack, type TemporaryStack } from '@clew/stack';
import { ownModelHub } from './own-model-hub.ts';
import { ROOT, runJest, type TestCounts } from './run-jest.ts';
import { scratchFolder } from './scratch-folder.ts';

const E2E_TIMEOUT_MS = 60_000;
const STACK_OF_WORKER = join(ROOT, 'e2e/stack-of-worker.mjs');
const ORDER = join(ROOT, 'e2e/starters-first.mjs');

const USAGE = "Usage: npm test [-- [--only <part of a phase's name>] [<beginning of a path>...]]";

/** Makes services check their own answers, so that a wrong answer fails a test. */
const CHECKED = { CLEW_CHECK_RESPONSES: 'true' };

/** Shortens the times of webhooks, so that tests see a receiver that is given up. */
const QUICK = { WEBHOOK_PAUSES_MS: '500,500,60000', WEBHOOK_DISABLE_AFTER_MS: '2000' };

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
    run: (patterns) => runJest({ patterns, options: ['--maxWorkers=4'], withServers: true }),
  },
  {
    name: 'end to end',
    folders: ['e2e/'],
    async run(patterns) {
      // Many files wait for most of their time, so two stacks share the processors well; a few need one stack only.
      const stackCount = patterns.includes('e2e/') ? 2 : 1;
      return await withStacks(stackCount, async (stacks) => {
        const workers = [`--maxWorkers=${stackCount}`, `--env=${STACK_OF_WORKER}`];
        const options = [...workers, `--testTimeout=${E2E_TIMEOUT_MS}`, `--testSequencer=${ORDER}`];
        const env = { CLEW_TEST_STACKS: JSON.stringify(stacks.map((stack) => stack.variables)) };
        const counts = await runJest({ patterns, options, env });
        for (const { keepLogs } of counts.failed > 0 ? stacks : [])
          process.stderr.write(`What the services logged is in ${await keepLogs()}\n`);
        return counts;
      });
    },
  },
];

interface OwnStack extends Pick<TemporaryStack, 'keepLogs'> {
  /** Environment variables by which the tests of one worker of Jest find their stack. */
  variables: NodeJS.ProcessEnv;
}

/** Runs that many stacks around `use`. They start one after the other: the first one builds for all. */
async function withStacks<Result>(
  count: number,
  use: (stacks: readonly OwnStack[]) => Promise<Result>,
): Promise<Result> {
  if (count === 0) return await use([]);
  const settings = { ...CHECKED, ...QUICK, ...(await ownModelHub()) };
  return await withTemporaryStack(settings, ({ env: { CLEW_HOME, CLEW_PORT, CLEW_SEED }, keepLogs }) =>
    withStacks(count - 1, (others) =>
      use([{ variables: { ...settings, CLEW_HOME, CLEW_PORT, CLEW_SEED }, keepLogs }, ...others]),
    ),
  );
}

/**
 * Runs `npm test`: every test at its small counts. `--only <part of a phase's name>` runs one phase; path prefixes
 * select test files: `npm test -- e2e/src/model`.
 */
async function main(): Promise<number> {
  // Servers, stacks and tests take their temporary folders from it.
  process.env['TMPDIR'] = scratchFolder();
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
