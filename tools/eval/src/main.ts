// node --conditions=clew-source tools/eval/src/main.ts findings --data <dir>
// Sends labelled conversations through the whole system; prints figures as JSON on the last line.
import { parseArgs } from 'node:util';
import { runCommandLine, UsageError } from '@clew/stack';
import { evaluateFindings } from './findings/evaluate-findings.ts';

const EVALUATIONS: Readonly<Record<string, (dataFolder: string) => Promise<object>>> = { findings: evaluateFindings };
const USAGE = `Usage: npm run eval -- <${Object.keys(EVALUATIONS).join(' | ')}> --data <folder>`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { data: { type: 'string' } },
  });
  const [name = ''] = positionals;
  const evaluate = EVALUATIONS[name];
  if (evaluate === undefined) throw new UsageError(name === '' ? 'the name is missing' : `there is no "${name}"`);
  if (values.data === undefined) throw new UsageError('--data is missing');
  process.stdout.write(`${JSON.stringify({ eval: name, ...(await evaluate(values.data)) })}\n`);
  return 0;
}

process.exitCode = await runCommandLine(USAGE, main);
