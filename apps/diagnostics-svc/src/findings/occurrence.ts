import { SEVERITIES, type Detection, type Offered, type Severity } from '@clew/contracts';
import { derivedId } from '@clew/kernel';

/** Snapshot that a run evaluated. */
export interface EvaluatedSnapshot {
  snapshotId: string;
  /** Revision of the conversation at the time of the snapshot; a partial snapshot has the revision of the whole. */
  revision: number;
  scope: 'conversation' | 'prefix' | 'traces';
  startedAt: number;
  throughMs: number;
  /** Index of the last message whose words had expired by then. */
  expiredThrough?: number | undefined;
  /** Agents that spoke in it and tools that were called, if they are known. */
  offered?: Offered | undefined;
}

/** Snapshot that a Rule evaluated, with the revision of the Rule's configuration. */
export interface Evaluation extends EvaluatedSnapshot {
  /** Undefined for the first revision. */
  ruleRevision?: number | undefined;
}

/** Precedence of an evaluation: a later revision of the conversation wins, then a later one of the configuration. */
export interface Standing {
  snapshotRevision: number;
  ruleRevision?: number | undefined;
}

const FIRST_REVISION = 1;

/** Compares two evaluations; positive if the first takes precedence. */
export function compareStanding(one: Standing, other: Standing): number {
  const bySnapshot = one.snapshotRevision - other.snapshotRevision;
  return bySnapshot === 0 ? (one.ruleRevision ?? FIRST_REVISION) - (other.ruleRevision ?? FIRST_REVISION) : bySnapshot;
}

export function standingOf({ revision, ruleRevision }: Evaluation): Standing {
  return { snapshotRevision: revision, ruleRevision };
}

/** Fields that decide which of a Finding's occurrences describes it. */
export interface Rank {
  id: string;
  /** Index of its severity, 0 for the worst; a number, so that an index can order by it. */
  severityRank: number;
  diagnosticScore: number;
  /** Time of the first detection; a later snapshot that shows it again changes only the last one. */
  firstDetectedAt: number;
}

/** Occurrence of a Finding in a conversation, without the detection; each Finding and conversation have at most one. */
export interface OccurrenceHead extends Rank {
  findingId: string;
  projectId: string;
  conversationId: string;
  ruleId: string;
  snapshotId: string;
  snapshotRevision: number;
  snapshotScope: EvaluatedSnapshot['scope'];
  /** Revision of the Rule's configuration; undefined for the first. */
  ruleRevision?: number | undefined;
  conversationStartedAt: number;
  throughMs: number;
  lastDetectedAt: number;
  /** Whether the series counts it, as it does every occurrence that is stored since there are series. */
  counted?: true | undefined;
}

/** Occurrence with the step where its evidence begins, for results that no longer see the words of that step. */
export interface PlacedHead extends OccurrenceHead {
  firstStep: number;
}

/** Step indices of a detection's evidence. */
export interface Places {
  anchor: { stepIndex: number };
  evidence: readonly { location: { stepIndex: number } }[];
}

/** Index of the first message that shows the problem. */
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

/** Occurrence moved to another Finding. */
export function movedTo(findingId: string, occurrence: Occurrence): Occurrence {
  return { ...occurrence, id: occurrenceIdOf(findingId, occurrence.conversationId), findingId };
}

/** Occurrence with the new detection of its Rule, or of a judge. */
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

/** Whether the first describes a Finding rather than the other: by severity, then score, then time of detection. */
export function describesBefore(one: Rank, other: Rank): boolean {
  if (one.severityRank !== other.severityRank) return one.severityRank < other.severityRank;
  if (one.diagnosticScore !== other.diagnosticScore) return one.diagnosticScore > other.diagnosticScore;
  if (one.firstDetectedAt !== other.firstDetectedAt) return one.firstDetectedAt < other.firstDetectedAt;
  return one.id < other.id;
}

/**
 * Whether an occurrence comes from a better evaluation than the known one: a later revision of the conversation, then
 * of the Rule's configuration, then a whole snapshot rather than a partial one, then a partial one that goes further.
 * This is a total order, so the order in which results arrive does not matter.
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
