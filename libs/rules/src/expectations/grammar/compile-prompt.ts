import type { Expectation, ExpectationCheck, ToolDefinition } from '@clew/contracts';
import { canonicalJson } from '@clew/kernel';
import { offeredTools, type OfferedTools } from './actions.ts';
import { answerRules } from './answer-rules.ts';
import { groundings, limits, prohibitions, silentCalls, singleCalls } from './call-rules.ts';
import { clausesOf } from './canonical.ts';
import { confirmations } from './confirmations.ts';
import type { Production } from './draft.ts';
import { orderings } from './orderings.ts';
import { promptHash } from './prompt-hash.ts';
import { promptSentences, type PromptSentence } from './prompt-sentences.ts';
import { severityOfForm, statementOf } from './statements.ts';

/** Expectation before it has an id and a status. */
export type ExpectationProposal = Pick<Expectation, 'statement' | 'source' | 'severity' | 'check'> & {
  /** Exact substring of the prompt. */
  readonly quote: string;
  readonly promptHash: string;
};

export interface CompileOptions {
  /** Agent that the prompt belongs to: only its steps are checked. */
  readonly agent?: string;
}

const MAX_STATEMENT_LENGTH = 1000;
const MAX_TOOLS = 50;

/** Productions in order of precedence: the first that reads a clause wins. */
const PRODUCTIONS: readonly Production[] = [
  silentCalls,
  singleCalls,
  confirmations,
  orderings,
  limits,
  groundings,
  answerRules,
  prohibitions,
];

/**
 * Extracts the Expectations that a system prompt states, with the grammar alone. `tools` are those that the agent was
 * offered, or called. Sentences that the grammar does not read with certainty are left out; each check occurs once.
 */
export function compilePrompt(
  prompt: string,
  tools: readonly Pick<ToolDefinition, 'name'>[],
  { agent }: CompileOptions = {},
): ExpectationProposal[] {
  const offered = offeredTools(tools);
  const hash = promptHash(prompt);
  const proposals = new Map<string, ExpectationProposal>();
  for (const sentence of promptSentences(prompt)) {
    for (const found of checksOf(sentence, offered)) {
      const check = agent === undefined ? found : { ...found, agent };
      const key = canonicalJson(check);
      if (proposals.has(key)) continue;
      proposals.set(key, {
        statement: statementOf(found).slice(0, MAX_STATEMENT_LENGTH),
        source: 'compiled',
        quote: sentence.text,
        promptHash: hash,
        severity: severityOfForm(found.form),
        check,
      });
    }
  }
  return [...proposals.values()];
}

/** Reads the whole sentence first; if no production reads it, its clauses one by one. */
function checksOf(sentence: PromptSentence, offered: OfferedTools): readonly ExpectationCheck[] {
  const [whole, ...parts] = clausesOf(sentence);
  if (whole === undefined) return [];
  const read = (clause: typeof whole): readonly ExpectationCheck[] => {
    for (const production of PRODUCTIONS) {
      const checks = production(clause, offered).filter(isWithinLimits);
      if (checks.length > 0) return checks;
    }
    return [];
  };
  const found = read(whole);
  return found.length > 0 ? found : parts.flatMap(read);
}

function isWithinLimits(check: ExpectationCheck): boolean {
  return !('tools' in check) || (check.tools?.length ?? 0) <= MAX_TOOLS;
}
