/** How conversations ended in which a Rule found something, in labelled ones that both succeeded and failed. */
export interface LabelledOutcomes {
  flagged: number;
  failed: number;
}

/**
 * As `eval -- findings` counts them on 92 labelled conversations of tau-bench, 51 of which failed. Conversations of which
 * all failed say nothing of how often a Rule is wrong, and are left out.
 */
const OUTCOMES: Readonly<Record<string, LabelledOutcomes>> = {
  invalid_tool_arguments: { flagged: 11, failed: 11 },
  unconfirmed_change: { flagged: 8, failed: 8 },
  unsupported_action_claim: { flagged: 4, failed: 4 },
  dropped_request: { flagged: 1, failed: 1 },
  refusal: { flagged: 11, failed: 4 },
  user_frustration: { flagged: 1, failed: 0 },
};
/** What a Rule is confident of counts as so many labelled conversations: few labels move it little. */
const WEIGHT_OF_RULE = 10;

export interface CalibratedConfidence {
  /** 0 to 1. */
  confidence: number;
  /** Undefined where no label speaks of the Rule: then it is the Rule's own confidence. */
  labelled: LabelledOutcomes | undefined;
}

/**
 * How sure what a Rule found is, by its own confidence and by how labelled conversations ended in which it found
 * something: the mean of a beta distribution that the Rule's confidence is the prior of.
 */
export function calibrateConfidence(ruleKey: string, confidence: number): CalibratedConfidence {
  const labelled = OUTCOMES[ruleKey];
  if (labelled === undefined) return { confidence, labelled };
  const { flagged, failed } = labelled;
  return { confidence: (WEIGHT_OF_RULE * confidence + failed) / (WEIGHT_OF_RULE + flagged), labelled };
}
