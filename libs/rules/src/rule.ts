import type { ConversationMessage, ConversationSnapshot, Evidence, RuleConfiguration, Severity } from '@clew/contracts';
import type { ClusterSignature } from './fingerprint/cluster-fingerprint.ts';
import type { PlacedQuote } from './text/quote.ts';

/** Kind of observation that a Rule makes. */
export interface SignalDefinition {
  /** Name in snake_case, stable: projects use it in `signalOverrides`. */
  readonly name: string;
  readonly description: string;
  readonly defaultSeverity: Severity;
  /** Score of a clear case of this signal alone, 0 to 1. */
  readonly weight: number;
}

/** Signal that fired. */
export interface SignalHit {
  readonly name: string;
  /** Clarity of this case, 0 to 1; scales the signal's weight. */
  readonly strength: number;
}

/** Message, or a part of it, that shows the problem. */
export interface EvidenceDraft {
  readonly kind: Evidence['kind'];
  readonly message: ConversationMessage;
  readonly title: string;
  readonly summary: string;
  /** Exact substring of the message's content, with its place; undefined if there is no text to quote. */
  readonly quote: PlacedQuote | undefined;
}

/** Texts of a Finding about a problem. */
export interface Narrative {
  /** Title, the same for every conversation of the cluster. */
  readonly title: string;
  readonly summary: string;
  readonly causeAssessment: string;
  readonly remediationHint: string;
}

/** Case of a Rule's problem in a conversation: the signals that fired, and where. */
export interface Occurrence {
  readonly signals: readonly SignalHit[];
  readonly signature: ClusterSignature;
  /** Evidence; the first entry is the anchor. */
  readonly evidence: readonly [EvidenceDraft, ...EvidenceDraft[]];
  readonly narrative: Narrative;
}

/** Built-in Rule: a pure function over a conversation, with its metadata. */
export interface RuleDefinition {
  readonly ruleId: string;
  readonly ruleKey: string;
  readonly name: string;
  readonly description: string;
  readonly categoryKey: string;
  /** Meaning of the vocabulary that the project's `keywords` extend; null if the Rule has none. */
  readonly keywordsMeaning: string | null;
  readonly signals: readonly SignalDefinition[];
  readonly defaultConfiguration: RuleConfiguration;
  /** false if the Rule uses only numbers, times and scores; its Detections then count even if the text has expired. */
  readonly readsWords?: false;
  detect(snapshot: ConversationSnapshot, configuration: RuleConfiguration): readonly Occurrence[];
}

/** Settings of a project that changed nothing. Calibrated so that a blatant case passes and a weak hint does not. */
export const DEFAULT_RULE_CONFIGURATION: RuleConfiguration = {
  keywords: [],
  minSignalScore: 0.5,
  minDiagnosticConfidence: 0.5,
  adjudicationMode: 'auto',
  adjudicationModel: null,
  signalOverrides: {},
};
