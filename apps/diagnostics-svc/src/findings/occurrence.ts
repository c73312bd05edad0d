import { SEVERITIES, type Detection, type Severity } from '@clew/contracts';
import { derivedId } from '@clew/kernel';

/** The snapshot that a run evaluated. */
export interface EvaluatedSnapshot {
  snapshotId: string;
  /** Of the conversation when the snapshot was made; a part of it has the revision of the whole at that moment. */
  revision: number;
  scope: 'conversation' | 'prefix' | 'traces';
  startedAt: number;
  throughMs: number;
  /** The index of the last message whose words had expired by then. */
  expiredThrough?: number | undefined;
}

/** What a Rule was evaluated on, and in which revision of its configuration. */
export interface Evaluation extends EvaluatedSnapshot {
  /** The first has none. */
  ruleRevision?: number | undefined;
}

/** Which of two evaluations counts: that of the later revision of the conversation, then of the configuration. */
export interface Standing {
  snapshotRevision: number;
  ruleRevision?: number | undefined;
}

const FIRST_REVISION = 1;

/** Positive where the first counts before the other. */
export function compareStanding(one: Standing, other: Standing): number {
  const bySnapshot = one.snapshotRevision - other.snapshotRevision;
  return bySnapshot === 0 ? (one.ruleRevision ?? FIRST_REVISION) - (other.ruleRevision ?? FIRST_REVISION) : bySnapshot;
}

export function standingOf({ revision, ruleRevision }: Evaluation): Standing {
  return { snapshotRevision: revision, ruleRevision };
}

/** What decides which of a Finding's occurrences describes it. */
export interface Rank {
  id: string;
  /** The place of its severity, the worst being 0: a number, so that an index orders by it. */
  severityRank: number;
  diagnosticScore: number;
  /** When the system found it; a later snapshot that shows it again moves only the last. */
  firstDetectedAt: number;
}

/** That a conversation shows a Finding, without what the Rule said of it: one for each Finding and conversation. */
export interface OccurrenceHead extends Rank {
  findingId: string;
  projectId: string;
  conversationId: string;
  ruleId: string;
  snapshotId: string;
  snapshotRevision: number;
  snapshotScope: EvaluatedSnapshot['scope'];
  /** Of the Rule's configuration; the first has none. */
  ruleRevision?: number | undefined;
  conversationStartedAt: number;
  throughMs: number;
  lastDetectedAt: number;
}

/** With the place where its evidence begins, for results that no longer see the words that stood there. */
export interface PlacedHead extends OccurrenceHead {
  firstStep: number;
}

/** What of a detection says where its evidence stands. */
export interface Places {
  anchor: { stepIndex: number };
  evidence: readonly { location: { stepIndex: number } }[];
}

/** The index of the first message that shows the problem. */
export function firstStepOf({ anchor, evidence }: Places): number {
  return Math.min(anchor.stepIndex, ...evidence.map(({ location }) => location.stepIndex));
}

export interface Occurrence extends OccurrenceHead {
  detection: Detection;
}

export function findingIdOf(projectId: string, clusterFingerprint: string): string {
  return derivedId('fnd', projectId, clusterFingerprint);
}

export function occurrenceIdOf(findingId: string, conversationId: string): string {
  return derivedId('occ', findingId, conversationId);
}

export function occurrenceOf(
  conversation: { projectId: string; conversationId: string; findingId?: string },
  ruleId: string,
  snapshot: Evaluation,
  detection: Detection,
  nowMs: number,
): Occurrence {
  const { projectId, conversationId } = conversation;
  const { findingId = findingIdOf(projectId, detection.clusterFingerprint) } = conversation;
  return {
    id: occurrenceIdOf(findingId, conversationId),
    findingId,
    projectId,
    conversationId,
    ruleId,
    ...rankOf(detection),
    snapshotId: snapshot.snapshotId,
    snapshotRevision: snapshot.revision,
    snapshotScope: snapshot.scope,
    ...(snapshot.ruleRevision === undefined ? {} : { ruleRevision: snapshot.ruleRevision }),
    conversationStartedAt: snapshot.startedAt,
    throughMs: snapshot.throughMs,
    firstDetectedAt: nowMs,
    lastDetectedAt: nowMs,
    detection,
  };
}

/** The occurrence as one of another Finding. */
export function movedTo(findingId: string, occurrence: Occurrence): Occurrence {
  return { ...occurrence, id: occurrenceIdOf(findingId, occurrence.conversationId), findingId };
}

/** The occurrence of which its Rule, or a judge, says something else now. */
export function saying(occurrence: OccurrenceHead & Partial<PlacedHead>, detection: Detection): Occurrence {
  const { firstStep: _read, ...head } = occurrence;
  return { ...head, ...rankOf(detection), detection };
}

function rankOf({ severity, diagnosticScore }: Detection): Pick<Rank, 'severityRank' | 'diagnosticScore'> {
  return { severityRank: SEVERITIES.indexOf(severity), diagnosticScore };
}

export function severityOf({ severityRank }: Rank): Severity {
  return SEVERITIES[severityRank] ?? 'info';
}

/** Whether a Finding is described by the one rather than by the other: the worst, the clearest, the first detected. */
export function describesBefore(one: Rank, other: Rank): boolean {
  if (one.severityRank !== other.severityRank) return one.severityRank < other.severityRank;
  if (one.diagnosticScore !== other.diagnosticScore) return one.diagnosticScore > other.diagnosticScore;
  if (one.firstDetectedAt !== other.firstDetectedAt) return one.firstDetectedAt < other.firstDetectedAt;
  return one.id < other.id;
}

/**
 * Whether an occurrence comes from a better evaluation than the known one: a later revision of the conversation, then of
 * the Rule's configuration, the whole rather than a part, a part that goes further. A total order, so that it does not matter which result comes first.
 */
export function outranks(next: OccurrenceHead, known: OccurrenceHead): boolean {
  const standing = compareStanding(next, known);
  if (standing !== 0) return standing > 0;
  if (isOfWhole(next) !== isOfWhole(known)) return isOfWhole(next);
  if (next.throughMs !== known.throughMs) return next.throughMs > known.throughMs;
  return next.snapshotId > known.snapshotId;
}

function isOfWhole({ snapshotScope }: OccurrenceHead): boolean {
  return snapshotScope === 'conversation';
}
