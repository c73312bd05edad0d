import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExpectationCheck, ToolDefinition } from '@clew/contracts';
import { compilePrompt } from '../grammar/compile-prompt.ts';
import { promptSentences } from '../grammar/prompt-sentences.ts';
import { compilePattern } from '@clew/privacy';

/** Human label of a sentence: the form with its tools, or texts that satisfy and that violate a pattern. */
export interface Label {
  readonly quote: string;
  readonly form: ExpectationCheck['form'];
  readonly tools?: readonly string[];
  readonly one_of?: readonly string[];
  readonly count?: number;
  readonly holds?: readonly string[];
  readonly breaks?: readonly string[];
}

/** System prompt labelled sentence by sentence: a sentence without a label expresses nothing that a form can check. */
export interface LabelledPrompt {
  readonly name: string;
  readonly tools: readonly Pick<ToolDefinition, 'name'>[];
  readonly prompt: string;
  readonly labels: readonly Label[];
}

export function readLabelledPrompts(set: 'tuning' | 'unseen'): LabelledPrompt[] {
  const folder = join(import.meta.dirname, 'prompts', set);
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const [head = '', prompt = '', labels = ''] = readFileSync(join(folder, file), 'utf8').split(/^---\n/m);
      const names = head
        .replace(/^tools:/, '')
        .replace(/\([^)]*\)/g, '')
        .split(',');
      return {
        name: file.replace('.txt', ''),
        tools: names.map((name) => ({ name: name.trim() })),
        prompt,
        labels: labels
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Label),
      };
    });
}

/** Compiled prompt measured against its labels. */
export interface CompiledPrompt {
  readonly sentences: number;
  readonly labels: number;
  /** Labels whose Expectation was compiled exactly. */
  readonly right: number;
  readonly missed: readonly string[];
  /** Expectations without a label, or different from it. */
  readonly wrong: readonly string[];
}

export function measure({ prompt, tools, labels }: LabelledPrompt): CompiledPrompt {
  const proposals = compilePrompt(prompt, tools);
  const isMade = (label: Label): boolean =>
    proposals.some((proposal) => proposal.quote.includes(label.quote) && agrees(label, proposal.check));
  const isAsked = (proposal: (typeof proposals)[number]): boolean =>
    labels.some((label) => proposal.quote.includes(label.quote) && agrees(label, proposal.check));
  return {
    sentences: promptSentences(prompt).length,
    labels: labels.length,
    right: labels.filter(isMade).length,
    missed: labels.filter((label) => !isMade(label)).map((label) => `${label.form}: ${label.quote}`),
    wrong: proposals
      .filter((proposal) => !isAsked(proposal))
      .map((proposal) => `${JSON.stringify(proposal.check)}: ${proposal.quote}`),
  };
}

function agrees(label: Label, check: ExpectationCheck): boolean {
  if (label.form !== check.form) return false;
  const same = (expected: readonly string[] | undefined, got: readonly string[] | undefined): boolean =>
    JSON.stringify([...(expected ?? [])].sort()) === JSON.stringify([...(got ?? [])].sort());
  if (!same(label.tools, 'tools' in check ? check.tools : undefined)) return false;
  if (!same(label.one_of, 'one_of' in check ? check.one_of : undefined)) return false;
  if (label.count !== ('count' in check ? check.count : undefined)) return false;
  if (!('pattern' in check) || check.pattern === undefined) return label.holds === undefined;
  const pattern = compilePattern(check.pattern);
  const isKept = (text: string): boolean => pattern.test(text) !== (check.form === 'answer_never_matches');
  return (label.holds ?? []).every(isKept) && !(label.breaks ?? []).some(isKept);
}
