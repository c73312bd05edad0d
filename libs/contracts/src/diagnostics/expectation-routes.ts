import { z } from 'zod';
import { pageQuery, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { EvidenceLocation, Severity } from './detection.ts';
import { Expectation, EXPECTATION_STATUSES, ExpectationCheck, ExpectationStatement } from './expectations.ts';

const Status = z.enum(EXPECTATION_STATUSES).meta({
  description:
    'active: it is checked. proposed: it waits for a person. off: it is not checked, and nothing switches it on',
});

export const NewExpectation = z.strictObject({
  statement: ExpectationStatement,
  severity: Severity.default('medium'),
  status: Status.default('active'),
  check: ExpectationCheck,
});
export type NewExpectation = z.infer<typeof NewExpectation>;

export const ExpectationChange = z
  .strictObject({
    statement: ExpectationStatement.optional(),
    severity: Severity.optional(),
    status: Status.optional(),
    check: ExpectationCheck.optional().meta({ description: 'Replaces the whole check' }),
  })
  .refine((change) => Object.keys(change).length > 0, 'must hold at least one field');
export type ExpectationChange = z.infer<typeof ExpectationChange>;

const ExpectationQuery = z.strictObject({
  status: z.enum(EXPECTATION_STATUSES).optional(),
  ...pageQuery(500, 100),
});
export type ExpectationQuery = z.infer<typeof ExpectationQuery>;

/** Maximum number of conversations that a dry run reads. */
export const MAX_DRY_RUN_CONVERSATIONS = 100;
/** Maximum number of violating conversations that a dry run shows. */
export const MAX_DRY_RUN_EXAMPLES = 10;

const BrokenExample = z.object({
  conversationId: z.string(),
  snapshotId: z.string(),
  violations: z.int().min(1).meta({ description: 'Steps that break it' }),
  reason: z.string().meta({ description: 'What is wrong at the first of them' }),
  location: EvidenceLocation,
});

export const ExpectationDryRun = z
  .object({
    conversations: z.int().min(0).meta({
      description: 'How many of the latest ready conversations were read; fewer where the time was up',
    }),
    broken: z.int().min(0).meta({ description: 'How many of them break it' }),
    examples: z.array(BrokenExample).max(MAX_DRY_RUN_EXAMPLES),
  })
  .meta({ id: 'ExpectationDryRun' });
export type ExpectationDryRun = z.infer<typeof ExpectationDryRun>;

const READ = { kind: 'caller', scopes: ['diagnostics:read'], permissions: ['project:diagnostics:read'] } as const;
const WRITE = { kind: 'caller', scopes: ['diagnostics:write'], permissions: ['project:diagnostics:write'] } as const;
const ALL = {
  service: 'diagnostics-svc',
  tag: 'Findings',
  path: '/v1/projects/:projectId/diagnostics/expectations',
  params: ProjectParams,
  invalidQueryCode: 'INVALID_FILTER',
} as const;
const ONE = {
  ...ALL,
  path: `${ALL.path}/:expectationId`,
  params: ProjectParams.extend({ expectationId: z.string() }),
} as const;

export const listExpectations = defineRoute({
  ...ALL,
  operationId: 'listExpectations',
  sdk: 'expectations.list',
  method: 'get',
  summary: 'List Expectations, newest first',
  description: 'An Expectation is a rule of your own, with which every conversation is checked.',
  access: READ,
  query: ExpectationQuery,
  responses: { 200: z.object({ expectations: z.array(Expectation), nextCursor: z.string().nullable() }) },
  errors: ['DIAGNOSTIC_RULES_UNAVAILABLE'],
});

export const createExpectation = defineRoute({
  ...ALL,
  operationId: 'createExpectation',
  sdk: 'expectations.create',
  conditional: true,
  idempotent: true,
  method: 'post',
  summary: 'Say what an agent is expected to do; every conversation is checked for it from then on',
  description:
    'An Expectation is a statement in plain words with a check of one of a few forms. `checkExpectation` tries it on conversations that are there already.',
  access: WRITE,
  body: NewExpectation,
  responses: { 201: Expectation },
  errors: ['TOO_MANY_EXPECTATIONS', 'DIAGNOSTIC_RULES_UNAVAILABLE'],
});

export const getExpectation = defineRoute({
  ...ONE,
  operationId: 'getExpectation',
  sdk: 'expectations.get',
  conditional: true,
  method: 'get',
  summary: 'Read one Expectation',
  description: 'The answer carries a strong `ETag`, which a PATCH or DELETE may name in `If-Match`.',
  access: READ,
  responses: { 200: Expectation },
  errors: ['EXPECTATION_NOT_FOUND', 'DIAGNOSTIC_RULES_UNAVAILABLE'],
});

export const updateExpectation = defineRoute({
  ...ONE,
  operationId: 'updateExpectation',
  sdk: 'expectations.update',
  conditional: true,
  method: 'patch',
  summary: 'Change an Expectation, or switch it on or off',
  description:
    'What is no longer active is withdrawn from the conversations that showed it; a changed check is tried again on ' +
    'them, and stays where it is still broken. With `If-Match`, 412 when the Expectation is no longer what that `ETag` names.',
  access: WRITE,
  body: ExpectationChange,
  responses: { 200: Expectation },
  errors: ['EXPECTATION_NOT_FOUND', 'TOO_MANY_EXPECTATIONS', 'DIAGNOSTIC_RULES_UNAVAILABLE'],
});

export const deleteExpectation = defineRoute({
  ...ONE,
  operationId: 'deleteExpectation',
  sdk: 'expectations.delete',
  conditional: true,
  method: 'delete',
  summary: 'Delete an Expectation, and withdraw it from the conversations that showed it',
  description:
    'It is hidden at once. 204 when everything is withdrawn, 202 while that still runs; asking again is safe. A compiled ' +
    'one does not come back when a prompt states it again.',
  access: WRITE,
  responses: { 202: z.object({ id: z.string(), status: z.literal('deleting') }), 204: null },
  errors: ['EXPECTATION_NOT_FOUND', 'DIAGNOSTIC_RULES_UNAVAILABLE'],
});

export const checkExpectation = defineRoute({
  ...ONE,
  path: `${ONE.path}/check`,
  operationId: 'checkExpectation',
  sdk: 'expectations.check',
  method: 'post',
  summary: 'Try an Expectation on the latest conversations, without making anything',
  description: 'Answers how many conversations break it, and the places where they do.',
  access: READ,
  responses: { 200: ExpectationDryRun },
  errors: ['EXPECTATION_NOT_FOUND', 'DIAGNOSTIC_RULES_UNAVAILABLE'],
});
