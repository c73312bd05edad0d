import type { Api } from '@clew/sdk';
import { OBJECTIVES, type Objective } from './words.ts';

/** Settings of a collection as a form holds them; numbers are texts while they are typed. */
export interface CollectionDraft {
  readonly isEnabled: boolean;
  readonly objective: Objective | undefined;
  /** Empty: the default. */
  readonly model: string;
  readonly goalIds: readonly string[];
  readonly redaction: boolean;
  readonly dailySyntheses: string;
  readonly catchesUp: boolean;
  readonly days: string;
  readonly conversations: string;
}

type Settings = Pick<
  Api.Dataset,
  'collectionEnabled' | 'collectionPolicy' | 'collectedRedaction' | 'dailySyntheses' | 'collectionCatchUp'
>;
type Body = Api.UpdateDatasetData['body'];

const CATCH_UP = { days: 7, conversations: 1_000 };

export function draftOf(dataset: Settings): CollectionDraft {
  const { collectionPolicy, collectionCatchUp } = dataset;
  const { days, conversations } = collectionCatchUp ?? CATCH_UP;
  return {
    isEnabled: dataset.collectionEnabled && collectionPolicy !== null,
    objective: collectionPolicy?.objective,
    model: collectionPolicy?.model ?? '',
    goalIds: collectionPolicy?.filters?.knowledgeGoalIds ?? [],
    redaction: dataset.collectedRedaction === 'on',
    dailySyntheses: String(dataset.dailySyntheses),
    catchesUp: collectionCatchUp !== null,
    days: String(days),
    conversations: String(conversations),
  };
}

/** Reasons for which a draft cannot be saved, by field. */
export function draftProblems(draft: CollectionDraft): ReadonlyMap<keyof CollectionDraft, string> {
  const problems = new Map<keyof CollectionDraft, string>();
  const check = (name: 'dailySyntheses' | 'days' | 'conversations', least: number, most: number) => {
    const value = Number(draft[name]);
    const isFine = /^\d+$/.test(draft[name].trim()) && value >= least && value <= most;
    if (!isFine) problems.set(name, `must be a whole number from ${least} to ${most.toLocaleString('en')}`);
  };
  check('dailySyntheses', 0, 10_000);
  if (draft.catchesUp) {
    check('days', 1, 90);
    check('conversations', 1, 10_000);
  }
  return problems;
}

/** Change that a draft makes; undefined where it makes none. */
export function changeOf(draft: CollectionDraft, dataset: Settings): Body | undefined {
  const before = draftOf(dataset);
  const { objective } = draft;
  const isSame = (name: keyof CollectionDraft) => JSON.stringify(draft[name]) === JSON.stringify(before[name]);
  const ofModel = objective !== undefined && OBJECTIVES[objective].needsModel;
  const ofItems = objective !== undefined && OBJECTIVES[objective].from === 'items';
  const hasGoals = before.goalIds.length > 0;
  const catchUp = { days: Number(draft.days), conversations: Number(draft.conversations) };
  const isSameCatchUp = isSame('catchesUp') && (!draft.catchesUp || (isSame('days') && isSame('conversations')));
  const body: Body = {
    ...(isSame('objective') ? {} : { collectionObjective: objective ?? null }),
    ...(ofModel && !isSame('model') ? { collectionModel: draft.model.trim() === '' ? null : draft.model.trim() } : {}),
    ...(ofItems && !isSame('goalIds') ? { collectionFilters: filtersOf(draft.goalIds) } : {}),
    // Goals that narrowed another objective do not narrow this one.
    ...(objective !== undefined && !ofItems && hasGoals ? { collectionFilters: null } : {}),
    ...(isSame('isEnabled') && (objective !== undefined) === (before.objective !== undefined)
      ? {}
      : { collectionEnabled: draft.isEnabled }),
    ...(isSame('redaction') ? {} : { collectedRedaction: draft.redaction ? 'on' : 'off' }),
    ...(isSame('dailySyntheses') ? {} : { dailySyntheses: Number(draft.dailySyntheses) }),
    ...(isSameCatchUp ? {} : { collectionCatchUp: draft.catchesUp ? catchUp : null }),
  };
  return Object.keys(body).length === 0 ? undefined : body;
}

function filtersOf(goalIds: readonly string[]): Body['collectionFilters'] {
  return goalIds.length === 0 ? null : { knowledgeGoalIds: [...goalIds] };
}

/** Changes by somebody else, in words; empty where it was nothing that the form shows. */
export function changesOfOthers(before: Settings, now: Settings): string[] {
  const [old, next] = [draftOf(before), draftOf(now)];
  const title = (objective: Objective | undefined) =>
    objective === undefined ? 'nothing' : `“${OBJECTIVES[objective].title}”`;
  const lines: (readonly [boolean, string])[] = [
    [old.isEnabled !== next.isEnabled, next.isEnabled ? 'Collection was switched on' : 'Collection was switched off'],
    [old.objective !== next.objective, `It collects ${title(next.objective)}, no longer ${title(old.objective)}`],
    [old.model !== next.model, `The model is ${next.model || 'the default'}, no longer ${old.model || 'the default'}`],
    [old.goalIds.join() !== next.goalIds.join(), 'Other Learning Goals were chosen'],
    [old.redaction !== next.redaction, `Personal data are ${next.redaction ? 'replaced' : 'no longer replaced'}`],
    [
      old.dailySyntheses !== next.dailySyntheses,
      `Models may write ${next.dailySyntheses} responses a day, no longer ${old.dailySyntheses}`,
    ],
    [
      [old.catchesUp, old.days, old.conversations].join() !== [next.catchesUp, next.days, next.conversations].join(),
      next.catchesUp ? `It catches up on ${next.days} days` : 'It catches up on nothing',
    ],
  ];
  return lines.filter(([has]) => has).map(([, text]) => text);
}
