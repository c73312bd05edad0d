import { SEVERITIES, type ReviewedProblem } from '@clew/contracts';
import { withRenewedOccurrence } from '../findings/finding.ts';
import { saying, type Occurrence } from '../findings/occurrence.ts';
import { conversationKey, type ResultState } from '../results/result-state.ts';
import { findingCountOf, headOfState } from '../results/with-clusters.ts';
import { confidenceOf, reviewSourceOf, type ReviewSource } from './detections.ts';
import { RULES_OF_CATEGORY } from './review-rule.ts';

/** Problem that a Rule has found as well. */
export interface JoinedProblem {
  problem: ReviewedProblem;
  occurrence: Occurrence;
}

/** Problems of a review by whether a Rule found them too. */
export interface SplitProblems {
  joined: JoinedProblem[];
  own: ReviewedProblem[];
}

/** Splits the problems of a review: one that a Rule found at the same step belongs to that Rule's Finding. */
export function splitByRules(problems: readonly ReviewedProblem[], shown: readonly Occurrence[]): SplitProblems {
  const joined: JoinedProblem[] = [];
  const own: ReviewedProblem[] = [];
  for (const problem of problems) {
    const occurrence = shown.find(
      ({ id, detection }) =>
        RULES_OF_CATEGORY[problem.category].includes(detection.ruleKey) &&
        stepsOf(detection).has(problem.stepIndex) &&
        !joined.some((each) => each.occurrence.id === id),
    );
    if (occurrence === undefined) own.push(problem);
    else joined.push({ problem, occurrence });
  }
  return { joined, own };
}

function stepsOf({ anchor, evidence }: Occurrence['detection']): Set<number> {
  return new Set([anchor.stepIndex, ...evidence.map(({ location }) => location.stepIndex)]);
}

/**
 * State in which the Rules' occurrences say what the reviewer says of them: the worse of both severities, the higher of
 * both confidences, and the reviewer's reason with its quotes.
 */
export function withJoined(before: ResultState, joined: readonly JoinedProblem[], source: ReviewSource): ResultState {
  const conversations = new Map(before.conversations);
  const findings = new Map(before.findings);
  for (const { problem, occurrence } of joined) {
    const key = conversationKey(occurrence.projectId, occurrence.conversationId);
    const conversation = conversations.get(key);
    const view = conversation?.rules.get(occurrence.ruleId);
    const finding = findings.get(occurrence.findingId);
    if (conversation === undefined || finding === undefined) continue;
    if (view?.occurrences.get(occurrence.id)?.snapshotId !== occurrence.snapshotId) continue;
    const confirmed = confirmedBy(occurrence, problem, source);
    const occurrences = new Map(view.occurrences).set(confirmed.id, confirmed);
    const rules = new Map(conversation.rules).set(occurrence.ruleId, { ...view, occurrences });
    const findingCount = findingCountOf(rules, headOfState(before));
    conversations.set(key, { ...conversation, version: conversation.version + 1, findingCount, rules });
    findings.set(occurrence.findingId, withRenewedOccurrence(finding, confirmed));
  }
  return { conversations, findings };
}

function confirmedBy(occurrence: Occurrence, problem: ReviewedProblem, source: ReviewSource): Occurrence {
  const { detection } = occurrence;
  const severity = SEVERITIES.find((each) => each === detection.severity || each === problem.severity);
  return saying(occurrence, {
    ...detection,
    severity: severity ?? detection.severity,
    diagnosticScore: Math.max(detection.diagnosticScore, source.failureProbability),
    diagnosticConfidence: Math.max(detection.diagnosticConfidence, confidenceOf(problem, source.accuracy)),
    confidenceSource: reviewSourceOf(problem, source),
  });
}
