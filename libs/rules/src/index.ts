export { BUILT_IN_RULES } from './built-in-rules.ts';
export { evaluateRule, MAX_DETECTIONS, MAX_EVIDENCE } from './evaluate-rule.ts';
export {
  clusterFingerprint,
  FINGERPRINT_VERSION,
  type ClusterIdentity,
  type ClusterSignature,
} from './fingerprint/cluster-fingerprint.ts';
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
