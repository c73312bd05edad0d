/** Outcomes of labelled conversations that a Rule flagged, from data sets with both successes and failures. */
export interface LabelledOutcomes {
  flagged: number;
  failed: number;
}

/**
 * Counts of `eval -- findings` on 92 labelled conversations of tau-bench, 51 of which failed. Data sets in which every
 * conversation failed say nothing about how often a Rule is wrong, and are left out.
 */
const OUTCOMES: Readonly<Record<string, LabelledOutcomes>> = {
  invalid_tool_arguments: { flagged: 11, failed: 11 },
  unconfirmed_change: { flagged: 8, failed: 8 },
  unsupported_action_claim: { flagged: 4, failed: 4 },
  dropped_request: { flagged: 1, failed: 1 },
  refusal: { flagged: 11, failed: 4 },
  user_frustration: { flagged: 1, failed: 0 },
};
/** Weight of a Rule's own confidence, in labelled conversations: a few labels change it little. */
const WEIGHT_OF_RULE = 10;

export interface CalibratedConfidence {
  /** 0 to 1. */
  confidence: number;
  /** Undefined if no label concerns the Rule; the confidence is then the Rule's own. */
  labelled: LabelledOutcomes | undefined;
}

/**
 * Calibrates the confidence of a Rule with the outcomes of the labelled conversations that it flagged: the mean of a
 * beta distribution whose prior is the Rule's own confidence.
 */
export function calibrateConfidence(ruleKey: string, confidence: number): CalibratedConfidence {
  const labelled = OUTCOMES[ruleKey];
  if (labelled === undefined) return { confidence, labelled };
  const { flagged, failed } = labelled;
  return { confidence: (WEIGHT_OF_RULE * confidence + failed) / (WEIGHT_OF_RULE + flagged), labelled };
}
