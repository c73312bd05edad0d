// node --conditions=clew-source tools/eval/src/main.ts findings --data <dir>
// Sends labelled conversations through the whole system; prints figures as JSON on the last line.
import { parseArgs } from 'node:util';
import { evaluateFindings } from './findings/evaluate-findings.ts';

const EVALUATIONS: Readonly<Record<string, (dataFolder: string) => Promise<object>>> = { findings: evaluateFindings };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { data: { type: 'string' } },
});
const [name = ''] = positionals;
const evaluate = EVALUATIONS[name];
if (evaluate === undefined || values.data === undefined) {
  process.stderr.write(`Usage: npm run eval -- <${Object.keys(EVALUATIONS).join(' | ')}> --data <folder>\n`);
  process.exit(2);
}
process.stdout.write(`${JSON.stringify({ eval: name, ...(await evaluate(values.data)) })}\n`);
