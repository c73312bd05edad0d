import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { Finding, FindingParams, WRITE_FINDINGS } from './findings.ts';

/** Maximum number of Findings merged into one, including those that were merged into them before. */
export const MAX_MERGED_FINDINGS = 50;
/** Maximum number of Findings split off one Finding. */
export const MAX_SPLITS = 20;
/** Maximum number of conversations that one split names. */
export const MAX_SPLIT_CONVERSATIONS = 100;
/** Maximum number of occurrences that one split moves. */
export const MAX_SPLIT_OCCURRENCES = 1_000;

const FINDING = '/v1/projects/:projectId/diagnostics/findings/:findingId';
const Id = z.string().min(1).max(512);

/** Condition that selects the conversations of a Finding that get a Finding of their own. */
export const SplitCondition = z
  .strictObject({
    conversationIds: z
      .array(Id)
      .min(1)
      .max(MAX_SPLIT_CONVERSATIONS)
      .refine((ids) => new Set(ids).size === ids.length, 'must not hold an id twice')
      .optional(),
    signal: Id.optional().meta({ description: 'A signal of the Rule: those in which it fired, and that will' }),
  })
  .refine(
    ({ conversationIds, signal }) => (conversationIds === undefined) !== (signal === undefined),
    'must hold exactly one of conversationIds and signal',
  )
  .meta({ id: 'SplitCondition' });
export type SplitCondition = z.infer<typeof SplitCondition>;

const CHANGES_CLUSTERS = {
  service: 'diagnostics-svc',
  method: 'post',
  tag: 'Findings',
  access: WRITE_FINDINGS,
  conditional: true,
  changesNamed: true,
  params: FindingParams,
  invalidQueryCode: 'INVALID_FILTER',
} as const;

export const mergeFinding = defineRoute({
  ...CHANGES_CLUSTERS,
  operationId: 'mergeFinding',
  sdk: 'findings.merge',
  path: `${FINDING}/merge`,
  summary: 'Merge a Finding into another one',
  description:
    `Its conversations, present and to come, count for the other one, each once. It leaves the list and keeps its id. ` +
    `409 where it is merged already, where the other one is merged into it, and beyond ${MAX_MERGED_FINDINGS} Findings. ` +
    `A Finding that was split off goes back by being merged into the one that it came from.`,
  body: z.strictObject({ into: Id }),
  responses: { 200: Finding },
  errors: ['FINDING_NOT_FOUND', 'FINDING_MERGED', 'CONFLICT'],
});

export const unmergeFinding = defineRoute({
  ...CHANGES_CLUSTERS,
  operationId: 'unmergeFinding',
  sdk: 'findings.unmerge',
  path: `${FINDING}/unmerge`,
  summary: 'Take a Finding out of the one that it was merged into',
  description: 'What was merged into it before goes with it. 409 where it is not merged.',
  responses: { 200: Finding },
  errors: ['FINDING_NOT_FOUND', 'CONFLICT'],
});

export const splitFinding = defineRoute({
  ...CHANGES_CLUSTERS,
  operationId: 'splitFinding',
  sdk: 'findings.split',
  path: `${FINDING}/split`,
  summary: 'Give some conversations of a Finding one of their own',
  description:
    `Named ones, or those in which a signal of the Rule fired; what is found in them later follows. At most ` +
    `${MAX_SPLIT_OCCURRENCES} are moved. What was found as another Finding, which was merged into this one, is split ` +
    `off that one. 409 where nothing of the Finding matches.`,
  idempotent: true,
  body: SplitCondition,
  responses: { 201: Finding },
  errors: ['FINDING_NOT_FOUND', 'CONFLICT'],
});
