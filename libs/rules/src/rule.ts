import type { ConversationMessage, ConversationSnapshot, Evidence, RuleConfiguration, Severity } from '@clew/contracts';
import type { ClusterSignature } from './fingerprint/cluster-fingerprint.ts';

/** One kind of observation that a Rule makes. */
export interface SignalDefinition {
  /** snake_case, stable: projects name it in `signalOverrides`. */
  readonly name: string;
  readonly description: string;
  readonly defaultSeverity: Severity;
  /** How much a clear case of this signal alone says, 0 to 1. */
  readonly weight: number;
}

/** A signal that fired. */
export interface SignalHit {
  readonly name: string;
  /** How clear this case is, 0 to 1: it scales the signal's weight. */
  readonly strength: number;
}

/** A message, or a part of it, that shows the problem. */
export interface EvidenceDraft {
  readonly kind: Evidence['kind'];
  readonly message: ConversationMessage;
  readonly title: string;
  readonly summary: string;
  /** An exact substring of the message's content; undefined where there is no text to quote. */
  readonly quote: string | undefined;
}

/** What a Finding says about a problem. */
export interface Narrative {
  /** Says the same for every conversation of the cluster. */
  readonly title: string;
  readonly summary: string;
  readonly causeAssessment: string;
  readonly remediationHint: string;
}

/** One case of a Rule's problem in a conversation: the signals that fired for it, and where. */
export interface Occurrence {
  readonly signals: readonly SignalHit[];
  readonly signature: ClusterSignature;
  /** The first entry is the anchor. */
  readonly evidence: readonly [EvidenceDraft, ...EvidenceDraft[]];
  readonly narrative: Narrative;
}

/** A built-in Rule: a pure function over a conversation, and what is known about it. */
export interface RuleDefinition {
  readonly ruleId: string;
  readonly ruleKey: string;
  readonly name: string;
  readonly description: string;
  readonly categoryKey: string;
  /** What the project's `keywords` are added to; null where the Rule has no vocabulary. */
  readonly keywordsMeaning: string | null;
  readonly signals: readonly SignalDefinition[];
  readonly defaultConfiguration: RuleConfiguration;
  /** false where it goes by numbers, times and scores alone: what it finds counts also where words have expired. */
  readonly readsWords?: false;
  detect(snapshot: ConversationSnapshot, configuration: RuleConfiguration): readonly Occurrence[];
}

/** The settings of a project that changed nothing. Calibrated so that a blatant case passes and a weak hint does not. */
export const DEFAULT_RULE_CONFIGURATION: RuleConfiguration = {
  keywords: [],
  minSignalScore: 0.5,
  minDiagnosticConfidence: 0.5,
  adjudicationMode: 'auto',
  adjudicationModel: null,
  signalOverrides: {},
};
