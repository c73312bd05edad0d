import { z } from 'zod';
import { idPattern } from '@clew/kernel';
import { EpochMs, EpochMsQuery, Name, pageQuery, ProjectParams, textOf } from '../common/primitives.ts';
import { Waiting } from '../common/waiting.ts';
import { KnowledgeSources } from '../messages/knowledge.ts';
import { AUTO_MODEL, ModelName } from '../models/model-name.ts';
import { defineRoute } from '../route.ts';
import { KNOWLEDGE, READ_KNOWLEDGE, WRITE_KNOWLEDGE } from './access.ts';

export const GOAL_STATUSES = ['active', 'paused', 'archived'] as const;
export type GoalStatus = (typeof GOAL_STATUSES)[number];

export const LearningGoal = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string(),
    instruction: z.string(),
    model: z.string(),
    sources: KnowledgeSources,
    status: z.enum(GOAL_STATUSES),
    revision: z
      .int()
      .min(1)
      .meta({ description: 'Grows with the instruction, the model and the sources: what is asked of whom' }),
    counts: z.object({ activeItems: z.int().min(0), archivedItems: z.int().min(0) }),
    blockedReason: z.string().nullable().meta({ description: 'Why an active goal does not run: of its model' }),
    waiting: Waiting.optional().meta({ description: 'Of its next conversation, where it is read alone' }),
    createdAt: EpochMs,
    updatedAt: EpochMs,
  })
  .meta({ id: 'LearningGoal' });
export type LearningGoal = z.infer<typeof LearningGoal>;

const NewSources = z.strictObject({ systemPrompt: z.boolean() });
const Instruction = textOf(8_000).refine((text) => text.trim() !== '', 'must not be blank');

export const NewLearningGoal = z.strictObject({
  name: Name,
  instruction: Instruction,
  model: ModelName.default(AUTO_MODEL),
  sources: NewSources.default({ systemPrompt: false }),
});
export type NewLearningGoal = z.infer<typeof NewLearningGoal>;

export const LearningGoalChange = z
  .strictObject({
    name: Name.optional(),
    instruction: Instruction.optional(),
    model: ModelName.optional(),
    sources: NewSources.optional(),
    status: z.enum(GOAL_STATUSES).optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'must hold at least one field');
export type LearningGoalChange = z.infer<typeof LearningGoalChange>;

const GOALS = '/v1/projects/:projectId/knowledge/goals';
export const GoalParams = ProjectParams.extend({ goalId: z.string().regex(idPattern('goal')) });

const GoalsQuery = z.strictObject({
  status: z.enum(GOAL_STATUSES).optional(),
  updatedAfter: EpochMsQuery.optional().meta({ description: 'Changed then or later, oldest change first' }),
  ...pageQuery(500, 100),
});
export type GoalsQuery = z.infer<typeof GoalsQuery>;

export const createGoal = defineRoute({
  ...KNOWLEDGE,
  operationId: 'createGoal',
  sdk: 'knowledge.goals.create',
  method: 'post',
  path: GOALS,
  summary: 'Make a Learning Goal',
  description:
    'It is active. A model that is unknown, or known to lack Chat Completions or JSON Mode, is 400; one that is away for a while is taken, and `blockedReason` says so.',
  access: WRITE_KNOWLEDGE,
  idempotent: true,
  conditional: true,
  params: ProjectParams,
  body: NewLearningGoal,
  responses: { 201: LearningGoal },
});

export const listGoals = defineRoute({
  ...KNOWLEDGE,
  operationId: 'listGoals',
  sdk: 'knowledge.goals.list',
  method: 'get',
  path: GOALS,
  summary: 'List Learning Goals, newest first',
  description: 'A Learning Goal says in plain words what is to be learned from conversations.',
  access: READ_KNOWLEDGE,
  params: ProjectParams,
  query: GoalsQuery,
  responses: { 200: z.object({ goals: z.array(LearningGoal), nextCursor: z.string().nullable() }) },
});

export const getGoal = defineRoute({
  ...KNOWLEDGE,
  operationId: 'getGoal',
  sdk: 'knowledge.goals.get',
  method: 'get',
  path: `${GOALS}/:goalId`,
  summary: 'Read a Learning Goal, with its counts and why it does not run',
  description: '`blockedReason` tells why nothing is learned, for instance since no model is set.',
  access: READ_KNOWLEDGE,
  conditional: true,
  params: GoalParams,
  responses: { 200: LearningGoal },
});

export const updateGoal = defineRoute({
  ...KNOWLEDGE,
  operationId: 'updateGoal',
  sdk: 'knowledge.goals.update',
  method: 'patch',
  path: `${GOALS}/:goalId`,
  summary: 'Change a Learning Goal, pause, archive or activate it',
  description:
    'Moves: active to paused and back, either to archived, archived to active; any other is 409. The running backfills of a paused goal wait, those of an archived one are cancelled.',
  access: WRITE_KNOWLEDGE,
  conditional: true,
  params: GoalParams,
  body: LearningGoalChange,
  responses: { 200: LearningGoal },
  errors: ['CONFLICT'],
});
