import {
  SEVERITIES,
  type AnalysisState,
  type AnalysisTrigger,
  type RuleRevision,
  type Severity,
} from '@clew/contracts';
import { derivedId } from '@clew/kernel';
import { revisionNameOf } from '../rules/index.ts';

/** Snapshot of a conversation, as requested. */
export interface AnalysisTarget {
  projectId: string;
  conversationId: string;
  snapshotId: string;
}

export type RunState = 'queued' | 'succeeded' | 'failed' | 'skipped';

/** One Analysis Run: the evaluation of one Rule, in one revision of its configuration, on the snapshot. */
export interface Run extends RuleRevision {
  state: RunState;
  /** Reason for a failed or skipped run. */
  reason: string | null;
}

/** Findings of one Rule in the snapshot, if it found any. */
export interface Found {
  ruleId: string;
  /** Highest score among them. */
  score: number;
  severity: Severity;
  findingIds: readonly string[];
}

/** Analysis of one snapshot, with the runs of all its Rules. */
export interface Analysis extends AnalysisTarget {
  id: string;
  createdAt: number;
  /** Trigger of the first of its runs; absent in earlier records, and where a result came without a command. */
  trigger?: AnalysisTrigger | undefined;
  /** Time at which the last run ended; null while one is queued. */
  endedAt: number | null;
  /** Time since which runs are queued; absent while none is. */
  queuedAt?: number | undefined;
  /** Runs by `ruleKeyOf`. */
  runs: ReadonlyMap<string, Run>;
  found: readonly Found[];
}

export interface RunEnd {
  rule: RuleRevision;
  state: Exclude<RunState, 'queued'>;
  reason: string | null;
  found?: Found | undefined;
}

/** Id of the one record that a snapshot has, whoever asks for the analysis and however often. */
export function analysisIdOf({ projectId, conversationId, snapshotId }: AnalysisTarget): string {
  return derivedId('anl', projectId, conversationId, snapshotId);
}

/** Key of a Rule in one revision of its configuration. */
export function ruleKeyOf({ ruleId, revision }: RuleRevision): string {
  return revision === undefined ? ruleId : `${ruleId}@${revision}`;
}

export function newAnalysis(target: AnalysisTarget, nowMs: number, trigger?: AnalysisTrigger): Analysis {
  const { projectId, conversationId, snapshotId } = target;
  return {
    ...{ id: analysisIdOf(target), projectId, conversationId, snapshotId },
    ...{ createdAt: nowMs, endedAt: null, runs: new Map(), found: [] },
    ...(trigger === undefined ? {} : { trigger }),
  };
}

/** State of all runs together. */
export function stateOf({ endedAt, runs }: Pick<Analysis, 'endedAt' | 'runs'>): AnalysisState {
  if (endedAt === null) return 'queued';
  return [...runs.values()].some(({ state }) => state === 'failed') ? 'failed' : 'completed';
}

/** Rules that have no run on the snapshot yet. */
export function withoutRun<Rule extends RuleRevision>(analysis: Analysis | undefined, rules: readonly Rule[]): Rule[] {
  return rules.filter((rule) => analysis?.runs.has(ruleKeyOf(rule)) !== true);
}

/** Analysis with queued runs of the Rules added. */
export function withQueuedRuns(
  analysis: Analysis,
  rules: readonly RuleRevision[],
  nowMs = analysis.createdAt,
): Analysis {
  const queued = rules.map((rule): [string, Run] => [
    ruleKeyOf(rule),
    { ...revisionNameOf(rule), state: 'queued', reason: null },
  ]);
  const queuedAt = analysis.queuedAt ?? nowMs;
  return { ...analysis, endedAt: null, queuedAt, runs: new Map([...analysis.runs, ...queued]) };
}

/**
 * Analysis after some of its runs have ended; the same object if nothing changes. An ended run stays as it is, except
 * that a result also counts for a failed run, whose command may have been sent again.
 */
export function withEndedRuns(analysis: Analysis, ends: readonly RunEnd[], nowMs: number): Analysis {
  const counted = ends.filter(({ rule, state }) => {
    const known = analysis.runs.get(ruleKeyOf(rule))?.state ?? 'queued';
    return known === 'queued' || (known === 'failed' && state !== 'failed');
  });
  if (counted.length === 0) return analysis;
  const runs = new Map(analysis.runs);
  for (const { rule, state, reason } of counted) runs.set(ruleKeyOf(rule), { ...revisionNameOf(rule), state, reason });
  const latest = counted.filter(({ rule, state }) => state === 'succeeded' && isLatest(rule, runs));
  const foundNow = latest.flatMap(({ found }) => (found === undefined ? [] : [found]));
  const isQueued = [...runs.values()].some(({ state }) => state === 'queued');
  return {
    ...analysis,
    endedAt: isQueued ? null : nowMs,
    queuedAt: isQueued ? analysis.queuedAt : undefined,
    runs,
    found: latest.length === 0 ? analysis.found : [...withoutRules(analysis.found, latest), ...foundNow],
  };
}

/** Analysis after the findings of a Rule have changed; the same object if there were none and are none. */
export function withFound(analysis: Analysis, ruleId: string, found: Found | undefined): Analysis {
  const known = analysis.found.find((each) => each.ruleId === ruleId);
  if (known === undefined && found === undefined) return analysis;
  const others = analysis.found.filter((each) => each !== known);
  return { ...analysis, found: found === undefined ? others : [...others, found] };
}

/** Worst severity; `undefined` for an empty list. */
export function worstOf(severities: readonly Severity[]): Severity | undefined {
  return SEVERITIES.find((severity) => severities.includes(severity));
}

/** Number of Rules that failed or were skipped in the latest revision of their configuration that was run. */
export function unknownRulesOf({ runs }: Pick<Analysis, 'runs'>): number {
  const latest = Map.groupBy(runs.values(), ({ ruleId }) => ruleId)
    .values()
    .map((own) => own.reduce((best, run) => (numberOf(run) > numberOf(best) ? run : best)));
  return [...latest].filter(({ state }) => state === 'failed' || state === 'skipped').length;
}

/** Whether no later revision of the Rule has succeeded, so that these findings hold. */
function isLatest(rule: RuleRevision, runs: Analysis['runs']): boolean {
  return ![...runs.values()].some(
    (other) => other.ruleId === rule.ruleId && other.state === 'succeeded' && numberOf(other) > numberOf(rule),
  );
}

function numberOf({ revision = '1' }: RuleRevision): number {
  return Number(revision);
}

function withoutRules(found: readonly Found[], ends: readonly RunEnd[]): Found[] {
  const ruleIds = new Set(ends.map(({ rule }) => rule.ruleId));
  return found.filter(({ ruleId }) => !ruleIds.has(ruleId));
}
