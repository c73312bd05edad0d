export { BUILT_IN_RULES } from './built-in-rules.ts';
export { calibrateConfidence, type CalibratedConfidence, type LabelledOutcomes } from './calibration.ts';
export { diagnose, type ConversationJudgement } from './judgement/diagnose.ts';
export { INTERCEPT as SCORE_INTERCEPT } from './judgement/weights.ts';
export { FEATURE_NAMES, featuresOf, type ConversationFeatures } from './judgement/features.ts';
export {
  brierScore,
  calibrated,
  fitCalibration,
  type JudgedScore,
  type ScoreCalibration,
} from './judgement/recalibration.ts';
export { isOpenProblem } from './judgement/open-problem.ts';
export { successOf, type Success, type SuccessSignal } from './judgement/success.ts';
export { userCorrectionsIn, type UserCorrection } from './rules/user-correction/user-correction.ts';
export { schemaBreaches } from './rules/invalid-tool-arguments/check-schema.ts';
export { NEGATIVE_SCORE } from './rules/negative-score/negative-score.ts';
export { distancesFrom, usualOf, type UsualFeatures } from './judgement/usual.ts';
export { evaluateBuiltInRule, type RuleSettings } from './evaluate-built-in-rule.ts';
export { meaningOfScores, type ScoreMeaning } from './conversation/score-meaning.ts';
export { offeredIn, offersSituation, situationOf } from './conversation/situation.ts';
export { evaluateRule, MAX_DETECTIONS, MAX_EVIDENCE } from './evaluate-rule.ts';
export { evaluateExpectation } from './expectations/evaluate-expectation.ts';
export {
  detectBrokenExpectations,
  expectationBroken,
  expectationFingerprint,
} from './expectations/expectation-broken.ts';
export { compilePrompt, type CompileOptions, type ExpectationProposal } from './expectations/grammar/compile-prompt.ts';
export { promptHash } from './expectations/grammar/prompt-hash.ts';
export { promptsOf, type ConversationPrompt } from './expectations/prompts.ts';
export { readConversation, type ConversationReading } from './expectations/reading.ts';
export type { EvaluatedExpectation, ExpectationViolation } from './expectations/violation.ts';
export {
  clusterFingerprint,
  FINGERPRINT_VERSION,
  type ClusterIdentity,
  type ClusterSignature,
} from './fingerprint/cluster-fingerprint.ts';
export { conclude, evaluatedSnapshotOf, runRule, type ConcludedSnapshot, type RuleOutcome } from './run-rule.ts';
export { NEVER_WITHDRAWN } from './never-withdrawn.ts';
export { maskVariables, WILDCARD } from './fingerprint/mask-variables.ts';
export {
  DEFAULT_RULE_CONFIGURATION,
  type EvidenceDraft,
  type Narrative,
  type Occurrence,
  type RuleDefinition,
  type SignalDefinition,
  type SignalHit,
} from './rule.ts';
export { jsonLeaves } from './values/json-leaves.ts';
export { inContent, quoteOf, shorten } from './text/quote.ts';
