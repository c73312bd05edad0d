import {
  SEVERITIES,
  type ConfidenceSource,
  type Detection,
  type Evidence,
  type ReviewedProblem,
  type RuleConfiguration,
} from '@clew/contracts';
import { canonicalJson, sha256Hex } from '@clew/kernel';
import { FINGERPRINT_VERSION } from '@clew/rules';
import type { ProblemCluster } from './problem-clusters.store.ts';
import { CONVERSATION_REVIEW } from './review-rule.ts';

/** Review from which Detections are made. */
export interface ReviewSource {
  projectId: string;
  model: string;
  accuracy: number;
  failureProbability: number;
  calls: number;
  tokens: number;
}

/** Problem with its cluster. */
export interface ClusteredProblem {
  problem: ReviewedProblem;
  cluster: ProblemCluster;
}

/** Least score of a problem: a reviewer may find one in a conversation that did not fail. */
const MIN_SCORE = 0.5;
const MAX_CONFIDENCE = 0.99;

/** Problems that the project wants to know of, with the severities that it gives them. */
export function wantedProblems(
  problems: readonly ReviewedProblem[],
  { signalOverrides }: Pick<RuleConfiguration, 'signalOverrides'>,
): ReviewedProblem[] {
  return problems.filter(({ category }) => signalOverrides[category]?.enabled !== false);
}

/** Detections of a review, one for each cluster, the worst first. */
export function detectionsOf(
  clusteredProblems: readonly ClusteredProblem[],
  source: ReviewSource,
  configuration: Pick<RuleConfiguration, 'signalOverrides'>,
): Detection[] {
  const byCluster = Map.groupBy(clusteredProblems, ({ cluster }) => cluster.fingerprint);
  const detections = [...byCluster.values()].map((same) => detectionOf(same, source, configuration));
  return detections.toSorted((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity));
}

function detectionOf(
  same: readonly ClusteredProblem[],
  source: ReviewSource,
  { signalOverrides }: Pick<RuleConfiguration, 'signalOverrides'>,
): Detection {
  const [first] = same;
  if (first === undefined) throw new Error('A cluster has at least one problem');
  const { problem, cluster } = first;
  const { ruleId, ruleKey, categoryKey } = CONVERSATION_REVIEW;
  const evidence = evidenceOf(same.map((each) => each.problem));
  const [anchor = problem.quotes[0]] = problem.quotes.filter(({ stepIndex }) => stepIndex === problem.stepIndex);
  if (anchor === undefined) throw new Error('A problem has at least one quote');
  return {
    ...{ ruleId, ruleKey, categoryKey, fingerprintVersion: FINGERPRINT_VERSION },
    clusterFingerprint: cluster.fingerprint,
    severity: signalOverrides[problem.category]?.severity ?? problem.severity,
    diagnosticScore: Math.max(MIN_SCORE, source.failureProbability),
    diagnosticConfidence: confidenceOf(problem, source.accuracy),
    title: cluster.title,
    summary: same.map((each) => each.problem.sentence).join(' '),
    causeAssessment: '',
    remediationHint: '',
    signals: [...new Set(same.map((each) => each.problem.category))],
    anchor,
    evidence,
    confidenceSource: reviewSourceOf(problem, source),
    ...situationOf(problem),
  };
}

function situationOf({ agent, tool }: ReviewedProblem): Pick<Detection, 'situation'> {
  if (agent === null && tool === null) return {};
  return { situation: { ...(agent === null ? {} : { agent }), ...(tool === null ? {} : { tools: [tool] }) } };
}

function evidenceOf(problems: readonly ReviewedProblem[]): Evidence[] {
  const evidence = new Map<string, Evidence>();
  for (const { quotes, sentence, stepIndex } of problems) {
    for (const location of quotes) {
      const place = canonicalJson([location.stepIndex, location.quotes.map(({ quote }) => quote.toWellFormed())]);
      if (evidence.has(place)) continue;
      evidence.set(place, {
        ref: `ev_${sha256Hex(place).slice(0, 20)}`,
        kind: 'message',
        title: location.stepIndex === stepIndex ? 'Where it went wrong' : 'What shows it',
        summary: sentence,
        url: null,
        location,
      });
    }
  }
  return [...evidence.values()];
}

/** Confidence that the problem is real: a sceptic that confirms it is a second, independent opinion. */
export function confidenceOf({ secondLook }: Pick<ReviewedProblem, 'secondLook'>, accuracy: number): number {
  const wrong = 1 - accuracy;
  const confidence =
    secondLook === 'confirmed' ? (accuracy * accuracy) / (accuracy * accuracy + wrong * wrong) : accuracy;
  return Math.round(Math.min(MAX_CONFIDENCE, confidence) * 10_000) / 10_000;
}

export function reviewSourceOf(
  { sentence, kind, title, quotes, secondLook }: ReviewedProblem,
  { model, accuracy, calls, tokens }: ReviewSource,
): ConfidenceSource {
  return {
    ...{ kind: 'review', model, accuracy, secondLook, problem: { kind, title }, because: sentence, calls, tokens },
    quotes: quotes.flatMap(({ stepIndex, quotes: own }) => own.map(({ quote }) => ({ stepIndex, quote }))),
  };
}
