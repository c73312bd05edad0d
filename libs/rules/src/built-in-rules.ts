import { expectationBroken } from './expectations/expectation-broken.ts';
import type { RuleDefinition } from './rule.ts';
import { droppedRequest } from './rules/dropped-request/dropped-request.ts';
import { invalidToolArguments } from './rules/invalid-tool-arguments/invalid-tool-arguments.ts';
import { languageSwitch } from './rules/language-switch/language-switch.ts';
import { latencyOutlier } from './rules/latency-outlier/latency-outlier.ts';
import { lockingChange } from './rules/locking-change/locking-change.ts';
import { madeUpValue } from './rules/made-up-value/made-up-value.ts';
import { malformedOutput } from './rules/malformed-output/malformed-output.ts';
import { negativeScore } from './rules/negative-score/negative-score.ts';
import { promptInjection } from './rules/prompt-injection/prompt-injection.ts';
import { refusal } from './rules/refusal/refusal.ts';
import { repeatedQuestion } from './rules/repeated-question/repeated-question.ts';
import { sensitiveData } from './rules/sensitive-data/sensitive-data.ts';
import { stepBudgetExhausted } from './rules/step-budget/step-budget.ts';
import { tokenBlowUp } from './rules/token-blow-up/token-blow-up.ts';
import { toolCallLoop } from './rules/tool-call-loop/tool-call-loop.ts';
import { toolErrorUnhandled } from './rules/tool-error-unhandled/tool-error-unhandled.ts';
import { toolResultContradicted } from './rules/tool-result-contradicted/tool-result-contradicted.ts';
import { truncatedOutput } from './rules/truncated-output/truncated-output.ts';
import { unconfirmedChange } from './rules/unconfirmed-change/unconfirmed-change.ts';
import { undeclaredTool } from './rules/undeclared-tool/undeclared-tool.ts';
import { unsupportedActionClaim } from './rules/unsupported-action-claim/unsupported-action-claim.ts';
import { userCorrection } from './rules/user-correction/user-correction.ts';
import { userFrustration } from './rules/user-frustration/user-frustration.ts';

/** Every built-in Rule; a new one is a folder under `rules/` and a line here. */
export const BUILT_IN_RULES: readonly RuleDefinition[] = [
  toolErrorUnhandled,
  toolCallLoop,
  repeatedQuestion,
  truncatedOutput,
  userCorrection,
  invalidToolArguments,
  undeclaredTool,
  userFrustration,
  refusal,
  droppedRequest,
  unsupportedActionClaim,
  toolResultContradicted,
  madeUpValue,
  unconfirmedChange,
  lockingChange,
  malformedOutput,
  languageSwitch,
  latencyOutlier,
  tokenBlowUp,
  sensitiveData,
  promptInjection,
  stepBudgetExhausted,
  negativeScore,
  expectationBroken,
];
