import { preserve } from '@clew/collection';
import type { ConversationSnapshot, DiagnosedConversation, Score } from '@clew/contracts';
import { BUILT_IN_RULES, diagnose, evaluateRule } from '@clew/rules';
import { interval, resampled, rounded } from '../figures/resample.ts';
import { labelledDomains, type Domain } from '../labelled/domains.ts';
import { snapshotOfScript } from '../offline/scripted-snapshot.ts';
import { featuredDomains, heldOutScores } from '../score/leave-one-domain-out.ts';

/** Decision on one labelled conversation. */
interface Taken {
  readonly succeeded: boolean;
  readonly isTaken: boolean;
  /** Share of successes among all conversations of its domain. */
  readonly base: number;
  /** Sign of success, or reason of the refusal. */
  readonly why: string;
}

const RESAMPLES = 2_000;
const OPTIONS = { datasetId: 'dst_evaluation', redaction: false };

/**
 * Compares what `preserve_successful_behavior` takes with what succeeded, domain by domain, once as shipped and once
 * with a score that the domain had no part in; and again with its labels sent as scores.
 */
export function evaluateCollection(dataFolder: string): object {
  const domains = labelledDomains(dataFolder).filter(({ labels }) => labels === 'outcome');
  const heldOut = heldOutScores(featuredDomains(domains));
  const shipped = domains.map((domain) => decided(domain, undefined));
  const apart = domains.map((domain) => decided(domain, heldOut.get(domain.name)));
  const scored = domains.map((domain) => decided(domain, undefined, true));
  return {
    domains: domains.map(({ name }, at) => ({ domain: name, ...figuresOf(shipped[at] ?? []) })),
    heldOut: domains.map(({ name }, at) => ({ domain: name, ...figuresOf(apart[at] ?? []) })),
    pooled: pooled(shipped.flat()),
    pooledHeldOut: pooled(apart.flat()),
    withScores: { taken: scored.flat().filter(({ isTaken }) => isTaken).length, wrong: wrongOf(scored.flat()) },
  };
}

function decided({ conversations }: Domain, scores: readonly number[] | undefined, areScored = false): Taken[] {
  const base = conversations.filter(({ succeeded }) => succeeded).length / conversations.length;
  return conversations.map(({ script, succeeded }, at) => {
    const plain = snapshotOfScript(script);
    const snapshot = areScored ? { ...plain, scores: [scoreOf(succeeded)] } : plain;
    const decision = preserve(snapshot, diagnosedBy(snapshot, scores?.[at]), OPTIONS);
    const isTaken = decision.status === 'collected';
    return { succeeded, isTaken, base, why: isTaken ? decision.because : decision.reason };
  });
}

function scoreOf(value: boolean): Score {
  return { id: 'scr_1', name: 'outcome', value, source: 'evaluator', createdAt: 1 };
}

/** Diagnosis as diagnostics-svc has it, with another score if one is given. */
function diagnosedBy(snapshot: ConversationSnapshot, score: number | undefined): DiagnosedConversation {
  const { conversationId, snapshotId } = snapshot;
  const found = BUILT_IN_RULES.flatMap((rule) => evaluateRule(rule, snapshot, rule.defaultConfiguration));
  const judged = diagnose(snapshot, found);
  return {
    ...{ conversationId, snapshotId, score: score ?? judged.score },
    problems: judged.detections.map(({ ruleKey, severity, title, causeAssessment, remediationHint, anchor }) => ({
      ...{ findingId: 'fnd_evaluation', ruleKey, severity, title, causeAssessment, remediationHint, anchor },
      ...{ location: anchor, reviewStatus: 'unreviewed', resolutionStatus: 'unresolved' },
    })),
  };
}

function figuresOf(all: readonly Taken[]) {
  const taken = all.filter(({ isTaken }) => isTaken);
  return {
    conversations: all.length,
    base: rounded(all[0]?.base ?? NaN),
    taken: taken.length,
    succeeded: taken.length === 0 ? null : rounded(shareOf(taken)),
    why: Object.fromEntries([...Map.groupBy(all, ({ why }) => why)].map(([why, some]) => [why, some.length])),
  };
}

/** Success of what was taken against the base rates of its domains; domains in which all ended alike tell nothing. */
function pooled(all: readonly Taken[]) {
  const taken = all.filter(({ isTaken, base }) => isTaken && base > 0 && base < 1);
  const lift = (some: readonly Taken[]) =>
    shareOf(some) - some.reduce((sum, { base }) => sum + base, 0) / Math.max(1, some.length);
  return {
    taken: taken.length,
    succeeded: rounded(shareOf(taken)),
    lift: rounded(lift(taken)),
    interval: interval(
      resampled(
        taken.map((one) => [one]),
        lift,
        RESAMPLES,
      ),
    ),
  };
}

function shareOf(some: readonly Taken[]): number {
  return some.filter(({ succeeded }) => succeeded).length / Math.max(1, some.length);
}

function wrongOf(all: readonly Taken[]): number {
  return all.filter(({ isTaken, succeeded }) => isTaken && !succeeded).length;
}
