// node tools/test/run.ts [--unit] [--long] [options of Jest] [project folder...]
// Runs the tests of projects. If some of them need MongoDB and RabbitMQ (`*.itest.ts`), and CLEW_TEST_MONGO_URL and
// CLEW_TEST_AMQP_URL are not set, it starts both for the run.
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runJest } from './src/run-jest.ts';

const DEFAULT_FOLDERS = ['libs', 'apps', 'tools'];

async function main(argv: readonly string[]): Promise<number> {
  const folders = argv.filter((argument) => existsSync(join(ROOT, argument)));
  const jestOptions = argv.filter(
    (argument) => !folders.includes(argument) && !['--unit', '--long'].includes(argument),
  );
  const suffixes = argv.includes('--unit') ? ['test'] : argv.includes('--long') ? ['ltest'] : ['test', 'itest'];
  const roots = folders.length > 0 ? folders : DEFAULT_FOLDERS;
  const { failed } = await runJest({
    patterns: roots.map((folder) => `${join(ROOT, folder)}/`),
    // The last option ends the list of globs, which would otherwise include the path patterns.
    options: [...jestOptions, ...suffixes.map((suffix) => `--testMatch=**/src/**/*.${suffix}.ts`), '--passWithNoTests'],
    withServers: needsServers(roots, suffixes) && !serversAreNamed(process.env),
  });
  return failed === 0 ? 0 : 1;
}

function needsServers(roots: readonly string[], suffixes: readonly string[]): boolean {
  const patterns = suffixes
    .filter((suffix) => suffix !== 'test')
    .flatMap((suffix) => roots.map((root) => `${root}/**/src/**/*.${suffix}.ts`));
  return globSync(patterns, { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**'] }).length > 0;
}

function serversAreNamed({ CLEW_TEST_MONGO_URL, CLEW_TEST_AMQP_URL }: NodeJS.ProcessEnv): boolean {
  return Boolean(CLEW_TEST_MONGO_URL) && Boolean(CLEW_TEST_AMQP_URL);
}

process.exitCode = await main(process.argv.slice(2));
