import type { Severity } from '@clew/contracts';
import { SEVERITIES } from '@clew/contracts';
import type { LabelledConversation } from '../labelled/labelled-conversations.ts';
import { BASELINES, type BlamedMessage } from './baselines.ts';
import { rounded } from './resample.ts';
import { scoreFigures } from './score-figures.ts';
import { stepFigures, type Blame } from './step-figures.ts';

/** Labelled conversation with the system's judgement of it, computed in this process or read from its routes. */
export interface Judged {
  readonly labelled: LabelledConversation;
  readonly messages: readonly BlamedMessage[];
  readonly score: number;
  readonly symptoms: readonly { readonly ruleKey: string; readonly severity: Severity }[];
  readonly suspects: readonly { readonly stepIndex: number; readonly agent: string }[];
}

/** Agreement of the score with the outcome of the conversations, and the shares of flagged conversations. */
export function outcomeFigures(judged: readonly Judged[]): object {
  const score = scoreFigures(
    judged.map(({ labelled, messages, score }) => ({
      taskId: labelled.taskId,
      failed: !labelled.succeeded,
      score,
      length: messages.length,
    })),
  );
  return { ...score, flagged: flaggedFigures(judged) };
}

/** Agreement of the suspects with the labelled step and agent, compared with the baselines. */
export function causeFigures(judged: readonly Judged[]): object {
  const figuresOf = (blame: (one: Judged) => readonly Blame[]): object =>
    stepFigures(
      judged.map((one) => ({
        taskId: one.labelled.taskId,
        mistakeStep: one.labelled.mistakeStep ?? -1,
        mistakeAgent: one.labelled.mistakeAgent ?? '',
        blamed: blame(one),
      })),
    );
  return {
    conversations: judged.length,
    suspects: figuresOf(({ suspects }) => suspects.map(({ stepIndex, agent }) => ({ step: stepIndex, agent }))),
    baselines: Object.fromEntries(
      BASELINES.map(({ name, blame }) => [name, figuresOf(({ messages }) => blame(messages))]),
    ),
    flaggedByRule: countsByRule(judged),
  };
}

const GRAVE: readonly Severity[] = ['critical', 'high'];

/** Whether an occurrence is of severity high or above. */
export function isGrave({ severity }: Judged['symptoms'][number]): boolean {
  return GRAVE.includes(severity);
}

/** Shares of failed and of successful conversations by their gravest occurrence, and how many each Rule flags. */
function flaggedFigures(judged: readonly Judged[]): object {
  const groupOf = (succeeded: boolean): object => {
    const group = judged.filter(({ labelled }) => labelled.succeeded === succeeded);
    const share = (isHit: (one: Judged) => boolean): number => rounded(group.filter(isHit).length / group.length);
    const worst = Object.fromEntries(
      SEVERITIES.map((severity) => [severity, share(({ symptoms }) => gravestOf(symptoms) === severity)]),
    );
    return {
      conversations: group.length,
      any: share(({ symptoms }) => symptoms.length > 0),
      highOrAbove: share(({ symptoms }) => symptoms.some(isGrave)),
      byGravest: worst,
      byRule: countsByRule(group),
    };
  };
  return { failed: groupOf(false), successful: groupOf(true) };
}

function gravestOf(symptoms: Judged['symptoms']): Severity | undefined {
  return SEVERITIES.find((severity) => symptoms.some((symptom) => symptom.severity === severity));
}

/** Number of conversations that each Rule flags, and flags gravely. Rules that flag none are left out. */
function countsByRule(judged: readonly Judged[]): Record<string, { flagged: number; grave: number }> {
  const counts: Record<string, { flagged: number; grave: number }> = {};
  for (const { symptoms } of judged) {
    for (const [ruleKey, own] of Map.groupBy(symptoms, (symptom) => symptom.ruleKey)) {
      const count = (counts[ruleKey] ??= { flagged: 0, grave: 0 });
      count.flagged += 1;
      if (own.some(isGrave)) count.grave += 1;
    }
  }
  return counts;
}
