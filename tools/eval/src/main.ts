// node --conditions=clew-source tools/eval/src/main.ts <findings | expectations> --data <dir>, or knowledge
// Findings: sends labelled conversations through the whole system, or judges them in this process with --offline; with
// --model that model judges the Rules' Findings (self/<id> is a local one, which is brought up).
// With --offline, --model and --provider, that model reads some conversations of each domain, as the reviewer does.
// The folder holds tau-bench-airline and who-and-when, or a file of labelled conversations per domain.
// With --offline --fit the score is fitted anew, and each domain is judged by what was fitted on the others.
// With --offline --list <file> the occurrences are written to a file, without labels, for reading them one by one.
// Expectations: checks them in this process.
// Knowledge: extracts from the sample conversations, which contain labels of what they teach, with a local model or one
// of the provider at the given address (CLEW_EVAL_PROVIDER_KEY holds its key, if it needs one).
// With --dialogues it learns from those of a folder, a JSON file each with reference facts (dialogues/dialogue.ts has
// the layout), and counts what was found, dated, replaced and given to the right person; --judge names a model of the
// provider that tells recall and precision.
// Collection: decides in this process what a Dataset that preserves successful behavior would take of each domain, and
// counts how often those conversations succeeded. With --model, that model writes the responses of the other objectives
// through the whole system, for some conversations of each domain.
// Prints figures as JSON on the last line.
import { parseArgs } from 'node:util';
import { runCommandLine, UsageError } from '@clew/stack';
import { evaluateCollection } from './collection/evaluate-collection.ts';
import { evaluateSyntheses } from './collection/evaluate-syntheses.ts';
import { evaluateDialogues } from './dialogues/evaluate-dialogues.ts';
import { evaluateExpectations } from './expectations/evaluate-expectations.ts';
import { evaluateFindings, evaluateWithModel } from './findings/evaluate-findings.ts';
import type { Reader } from './knowledge/backfilled-goal.ts';
import { evaluateKnowledge } from './knowledge/evaluate-knowledge.ts';
import { evaluateLoghub } from './loghub/evaluate-loghub.ts';
import { evaluateReviewed } from './reviewed/evaluate-reviewed.ts';
import { evaluateOffline } from './offline/evaluate-offline.ts';
import { listOccurrences } from './offline/list-occurrences.ts';
import { evaluateFit } from './score/evaluate-fit.ts';

type Evaluation = (dataFolder: string) => object | Promise<object>;

const EVALUATIONS: Readonly<Record<string, Evaluation>> = {
  expectations: evaluateExpectations,
  findings: evaluateFindings,
};
/** Evaluations without a stack, which take seconds. */
const OFFLINE: Readonly<Record<string, Evaluation>> = { ...EVALUATIONS, findings: evaluateOffline };
const COLLECTION = 'collection';
const KNOWLEDGE = 'knowledge';
const SMALLEST_MODEL = 'self/smollm2-135m-instruct';
const USAGE = `Usage: npm run eval -- <${Object.keys(EVALUATIONS).join(' | ')}> --data <folder> [--offline [--fit | --list <file>] | --model <name>] [--loghub <folder>]
       npm run eval -- findings --data <folder> --offline --model <name> --provider <base URL> [--per-domain <n>] [--domains <a,b>] [--sample <word>]
       npm run eval -- ${COLLECTION} --data <folder> [--model <name> [--provider <base URL>] [--per-domain <n>] [--limit <n>]]
       npm run eval -- ${KNOWLEDGE} [--model <name>] [--provider <base URL>] [--dialogues <folder> [--judge <name>]]`;

function print(name: string, figures: object): number {
  process.stdout.write(`${JSON.stringify({ eval: name, ...figures })}\n`);
  return 0;
}

interface ReadValues {
  model?: string;
  provider?: string;
  dialogues?: string;
  judge?: string;
}

function readerOf({ model = SMALLEST_MODEL, provider: providerUrl }: ReadValues): Reader {
  const providerKey = process.env['CLEW_EVAL_PROVIDER_KEY'];
  return {
    model,
    ...(providerUrl === undefined ? {} : { providerUrl }),
    ...(providerKey === undefined ? {} : { providerKey }),
  };
}

function readBy({ dialogues, judge, ...values }: ReadValues): Promise<object> {
  const reader = readerOf(values);
  return dialogues === undefined ? evaluateKnowledge(reader) : evaluateDialogues(dialogues, { ...reader, judge });
}

function reviewedBy(
  model: string,
  values: { data?: string; provider?: string; domains?: string; 'per-domain'?: string; sample?: string },
) {
  const { data, provider, domains, sample, 'per-domain': perDomain = '10' } = values;
  if (data === undefined || provider === undefined) throw new UsageError('--data or --provider is missing');
  const key = process.env['CLEW_EVAL_PROVIDER_KEY'];
  return evaluateReviewed(data, {
    model,
    key,
    url: provider,
    perDomain: Number(perDomain),
    sample,
    domains: domains?.split(','),
  });
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ data: { type: 'string' }, loghub: { type: 'string' }, model: { type: 'string' } },
      ...{ provider: { type: 'string' }, 'per-domain': { type: 'string' }, domains: { type: 'string' } },
      ...{
        limit: { type: 'string' },
        sample: { type: 'string' },
        dialogues: { type: 'string' },
        judge: { type: 'string' },
      },
      offline: { type: 'boolean', default: false },
      fit: { type: 'boolean', default: false },
      list: { type: 'string' },
    },
  });
  const [name = ''] = positionals;
  const { model } = values;
  if (name === KNOWLEDGE) return print(name, await readBy(values));
  if (name === COLLECTION) {
    const { data, limit = '8', 'per-domain': perDomain = '20' } = values;
    if (data === undefined) throw new UsageError('--data is missing');
    if (model === undefined) return print(name, evaluateCollection(data));
    const counts = { perDomain: Number(perDomain), limit: Number(limit) };
    return print(name, await evaluateSyntheses(data, { ...readerOf({ ...values, model }), ...counts }));
  }
  if (model !== undefined && name !== 'findings') throw new UsageError('--model is for findings alone');
  if (model !== undefined && values.offline) return print(name, await reviewedBy(model, values));
  const withModel = model === undefined ? undefined : (folder: string) => evaluateWithModel(folder, model);
  const { fit, list } = values;
  if ((fit || list !== undefined) && (name !== 'findings' || !values.offline))
    throw new UsageError('--fit and --list are for findings --offline');
  const listed = list === undefined ? undefined : { findings: (folder: string) => listOccurrences(folder, list) };
  const own = listed ?? (fit ? { findings: evaluateFit } : values.offline ? OFFLINE : EVALUATIONS);
  const evaluate = withModel ?? (own as Readonly<Record<string, Evaluation>>)[name];
  if (evaluate === undefined) throw new UsageError(name === '' ? 'the name is missing' : `there is no "${name}"`);
  const { data, loghub } = values;
  if (data === undefined && (loghub === undefined || name !== 'findings')) throw new UsageError('--data is missing');
  const figures = {
    ...(loghub === undefined ? {} : { loghub: evaluateLoghub(loghub) }),
    ...(data === undefined ? {} : await evaluate(data)),
  };
  return print(name, figures);
}

process.exitCode = await runCommandLine(USAGE, main);
