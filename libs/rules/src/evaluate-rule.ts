import type { ConversationSnapshot, Detection, Evidence, EvidenceLocation, RuleConfiguration } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';
import { situationOf } from './conversation/situation.ts';
import { standsOnWords } from './expired-words.ts';
import { clusterFingerprint, FINGERPRINT_VERSION } from './fingerprint/cluster-fingerprint.ts';
import type { EvidenceDraft, Narrative, Occurrence, RuleDefinition } from './rule.ts';
import { clusterScores, enabledHits, occurrenceScore, severityOf } from './scoring.ts';
import { inContent, shorten } from './text/quote.ts';

/** Maximum evidence of a Detection; its score still counts every case. */
export const MAX_EVIDENCE = 50;
/** Maximum number of clusters that a Rule reports for one conversation, the clearest first. */
export const MAX_DETECTIONS = 20;

const MAX_TITLE_LENGTH = 200;
const MAX_TEXT_LENGTH = 1500;

interface ScoredOccurrence {
  readonly occurrence: Occurrence;
  readonly signalNames: readonly string[];
  readonly score: number;
}

/**
 * Evaluates a Rule on a snapshot under a project's configuration: one Detection per cluster, clearest first.
 * Occurrences on messages whose text has expired are not reported, unless the Rule reads no text. A cluster counts when
 * its score reaches `minSignalScore` and its confidence `minDiagnosticConfidence`.
 */
export function evaluateRule(
  rule: RuleDefinition,
  snapshot: ConversationSnapshot,
  configuration: RuleConfiguration,
): Detection[] {
  const occurrences = rule.detect(snapshot, configuration);
  // Most Rules find nothing in most conversations.
  if (occurrences.length === 0) return [];
  const clusters = new Map<string, ScoredOccurrence[]>();
  for (const occurrence of occurrences) {
    if (!standsOnWords(rule, occurrence)) continue;
    const hits = enabledHits(rule, occurrence.signals, configuration);
    if (hits.length === 0) continue;
    const { projectId } = snapshot;
    const { ruleKey, categoryKey } = rule;
    const fingerprint = clusterFingerprint({ projectId, ruleKey, categoryKey, signature: occurrence.signature });
    const cluster = clusters.get(fingerprint) ?? [];
    const score = occurrenceScore(rule.signals, hits);
    cluster.push({ occurrence, signalNames: hits.map((hit) => hit.name), score });
    clusters.set(fingerprint, cluster);
  }
  return [...clusters]
    .filter(([, cluster]) => isReported(scoresOf(cluster, snapshot), configuration))
    .map(([fingerprint, cluster]) => toDetection(rule, snapshot, configuration, fingerprint, cluster))
    .sort(
      (left, right) =>
        right.diagnosticConfidence - left.diagnosticConfidence || right.diagnosticScore - left.diagnosticScore,
    )
    .slice(0, MAX_DETECTIONS);
}

type ClusterScores = ReturnType<typeof clusterScores>;

function scoresOf(cluster: readonly ScoredOccurrence[], { truncated }: ConversationSnapshot): ClusterScores {
  return clusterScores(
    cluster.map((scored) => scored.score),
    truncated,
  );
}

function isReported({ score, confidence }: ClusterScores, configuration: RuleConfiguration): boolean {
  return score >= configuration.minSignalScore && confidence >= configuration.minDiagnosticConfidence;
}

function toDetection(
  rule: RuleDefinition,
  snapshot: ConversationSnapshot,
  configuration: RuleConfiguration,
  fingerprint: string,
  cluster: readonly ScoredOccurrence[],
): Detection {
  const strongest = cluster.reduce((best, candidate) => (candidate.score > best.score ? candidate : best));
  const fired = new Set(cluster.flatMap((scored) => scored.signalNames));
  const { score, confidence } = scoresOf(cluster, snapshot);
  const situation = situationOf(snapshot, strongest.occurrence.signature.names);
  return {
    ruleId: rule.ruleId,
    ruleKey: rule.ruleKey,
    categoryKey: rule.categoryKey,
    fingerprintVersion: FINGERPRINT_VERSION,
    clusterFingerprint: fingerprint,
    severity: severityOf(rule.signals, fired, configuration),
    diagnosticScore: score,
    diagnosticConfidence: confidence,
    ...narrativeOf(strongest.occurrence.narrative, cluster.length),
    signals: rule.signals.map((signal) => signal.name).filter((name) => fired.has(name)),
    anchor: locationOf(strongest.occurrence.evidence[0]),
    evidence: evidenceOf(snapshot, strongest, cluster),
    ...(situation === undefined ? {} : { situation }),
  };
}

function narrativeOf(narrative: Narrative, caseCount: number): Narrative {
  const times = caseCount === 1 ? '' : ` It happened ${caseCount} times in this conversation.`;
  return {
    title: shorten(narrative.title, MAX_TITLE_LENGTH),
    summary: shorten(`${narrative.summary}${times}`, MAX_TEXT_LENGTH),
    causeAssessment: shorten(narrative.causeAssessment, MAX_TEXT_LENGTH),
    remediationHint: shorten(narrative.remediationHint, MAX_TEXT_LENGTH),
  };
}

/** Lists the strongest case first, then the others in the order of the conversation; each place once. */
function evidenceOf(
  snapshot: ConversationSnapshot,
  strongest: ScoredOccurrence,
  cluster: readonly ScoredOccurrence[],
): Evidence[] {
  const evidence = new Map<string, Evidence>();
  const conversationId = snapshot.conversationId.toWellFormed();
  for (const scored of [strongest, ...cluster]) {
    for (const draft of scored.occurrence.evidence) {
      if (evidence.size === MAX_EVIDENCE) return [...evidence.values()];
      const location = locationOf(draft);
      // Texts and a number in a list have one JSON form, which is the canonical one.
      const place = JSON.stringify([conversationId, draft.kind, location.stepIndex, draft.title.toWellFormed()]);
      if (evidence.has(place)) continue;
      evidence.set(place, {
        ref: `ev_${sha256Hex(place).slice(0, 20)}`,
        kind: draft.kind,
        title: shorten(draft.title, MAX_TITLE_LENGTH),
        summary: shorten(draft.summary, MAX_TEXT_LENGTH),
        url: null,
        location,
      });
    }
  }
  return [...evidence.values()];
}

function locationOf(draft: EvidenceDraft): EvidenceLocation {
  return {
    traceId: draft.message.traceId,
    spanId: draft.message.spanId,
    stepIndex: draft.message.index,
    quotes: draft.quote === undefined ? [] : [inContent(draft.quote, draft.message.index)],
  };
}
