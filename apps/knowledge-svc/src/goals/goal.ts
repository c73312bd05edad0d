import type { GoalStatus, KnowledgeSources, LearningGoal, LearningGoalChange, NewLearningGoal } from '@clew/contracts';
import { AppError, newId, sha256Hex } from '@clew/kernel';

export interface StoredGoal {
  id: string;
  projectId: string;
  name: string;
  instruction: string;
  model: string;
  status: GoalStatus;
  sources: KnowledgeSources;
  /** Keys of the system prompts that were read for this revision, in any conversation, as extraction encodes them. */
  readPrompts: string;
  /** Grows with each change of instruction, model or sources. Read messages are remembered for each revision separately. */
  revision: number;
  activeItems: number;
  archivedItems: number;
  createdAt: number;
  updatedAt: number;
}

export interface GoalKey {
  projectId: string;
  goalId: string;
}

const MOVES: Readonly<Record<GoalStatus, readonly GoalStatus[]>> = {
  active: ['paused', 'archived'],
  paused: ['active', 'archived'],
  archived: ['active'],
};

export function newGoal(projectId: string, input: NewLearningGoal, nowMs: number): StoredGoal {
  return {
    ...{ id: newId('goal'), projectId, ...input, readPrompts: '', status: 'active', revision: 1 },
    ...{ activeItems: 0, archivedItems: 0, createdAt: nowMs, updatedAt: nowMs },
  };
}

/**
 * Applies a change to a goal; returns the same object if nothing differs. Throws CONFLICT for a forbidden status move.
 */
export function changedGoal(goal: StoredGoal, change: LearningGoalChange, nowMs: number): StoredGoal {
  const status = change.status ?? goal.status;
  if (status !== goal.status && !MOVES[goal.status].includes(status)) {
    throw new AppError('CONFLICT', `A goal that is ${goal.status} cannot be ${status}`);
  }
  const name = change.name ?? goal.name;
  const instruction = change.instruction ?? goal.instruction;
  const model = change.model ?? goal.model;
  const sources = change.sources ?? goal.sources;
  const isAskedAnew =
    instruction !== goal.instruction || model !== goal.model || sources.systemPrompt !== goal.sources.systemPrompt;
  if (!isAskedAnew && name === goal.name && status === goal.status) return goal;
  const revision = goal.revision + (isAskedAnew ? 1 : 0);
  // Two changes within one millisecond still get increasing times.
  const updatedAt = Math.max(nowMs, goal.updatedAt + 1);
  const readPrompts = isAskedAnew ? '' : goal.readPrompts;
  return { ...goal, name, instruction, model, sources, readPrompts, status, revision, updatedAt };
}

export function goalView(goal: StoredGoal, blockedReasons: ReadonlyMap<string, string>): LearningGoal {
  const { activeItems, archivedItems, readPrompts: _, ...fields } = goal;
  const blockedReason = goal.status === 'active' ? (blockedReasons.get(goal.model) ?? null) : null;
  return { ...fields, counts: { activeItems, archivedItems }, blockedReason };
}

/** Entity tag of the fields that people set: a new item, or a model that goes away, does not make a change fail. */
export function goalEtag({
  id,
  name,
  instruction,
  model,
  sources,
  status,
  updatedAt,
}: StoredGoal | LearningGoal): string {
  return `"${sha256Hex(JSON.stringify([id, name, instruction, model, sources.systemPrompt, status, updatedAt])).slice(0, 32)}"`;
}
