import type { RuleDefinition } from './rule.ts';
import { repeatedQuestion } from './rules/repeated-question/repeated-question.ts';
import { toolCallLoop } from './rules/tool-call-loop/tool-call-loop.ts';
import { toolErrorUnhandled } from './rules/tool-error-unhandled/tool-error-unhandled.ts';
import { truncatedOutput } from './rules/truncated-output/truncated-output.ts';
import { userCorrection } from './rules/user-correction/user-correction.ts';

/** Every built-in Rule; a new one is a folder under `rules/` and a line here. */
export const BUILT_IN_RULES: readonly RuleDefinition[] = [
  toolErrorUnhandled,
  toolCallLoop,
  repeatedQuestion,
  truncatedOutput,
  userCorrection,
];
