import type { Api } from '@clew/sdk';
import { backfillShare, backfillText as readingText } from '../goals/backfill.ts';
import { modelWork } from '../runtime/work.ts';
import { backfillText } from '../rules/backfill.ts';

/** Place of the Workbench in which more is said of a job. */
export type JobPlace =
  | { readonly kind: 'goal'; readonly goalId: string }
  | { readonly kind: 'rule'; readonly ruleId: string }
  | { readonly kind: 'privacy' }
  | { readonly kind: 'models'; readonly modelId: string | undefined };

/** Work that goes on in the background. */
export interface Job {
  readonly id: string;
  readonly place: JobPlace;
  readonly title: string;
  /** Name of what it is about; empty where the title says it. */
  readonly name: string;
  readonly text: string;
  /** Share that is done; undefined while nobody knows. */
  readonly share: number | undefined;
}

export interface JobSources {
  readonly readings?: readonly Api.KnowledgeBackfill[];
  readonly ruleBackfills?: readonly Api.RuleBackfill[];
  readonly erasures?: readonly Api.Erasure[];
  readonly runtime?: Pick<Api.RuntimeSnapshot, 'engines' | 'downloads' | 'services'>;
  readonly nameOf: (id: string) => string;
}

/** Gathers what goes on, in the order in which the rail names its places. */
export function jobsOf({ readings = [], ruleBackfills = [], erasures = [], runtime, nameOf }: JobSources): Job[] {
  return [
    ...readings.map((reading): Job => ({
      id: reading.backfillId,
      place: { kind: 'goal', goalId: reading.goalId },
      title: 'Learns from earlier conversations',
      name: nameOf(reading.goalId),
      text: readingText(reading),
      share: backfillShare(reading),
    })),
    ...(runtime === undefined ? [] : modelWork(runtime)).map(({ id, modelId, text, share }): Job => ({
      ...{ id, text, share },
      place: { kind: 'models', modelId },
      title: 'Makes a model ready',
      name: modelId ?? '',
    })),
    ...ruleBackfills.map((backfill): Job => ({
      id: backfill.backfillId,
      place: { kind: 'rule', ruleId: backfill.ruleId },
      title: 'Looks at earlier conversations',
      name: nameOf(backfill.ruleId),
      text: backfillText(backfill),
      share: undefined,
    })),
    ...erasures.map(({ id, conversationId }): Job => ({
      id,
      place: { kind: 'privacy' },
      title: 'Erases a conversation',
      name: conversationId,
      text: 'from all services',
      share: undefined,
    })),
  ];
}
