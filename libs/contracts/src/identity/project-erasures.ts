import { z } from 'zod';
import { idPattern } from '@clew/kernel';
import { EpochMs, ProjectId, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { ErasedBatch } from '../telemetry/erasures.ts';

/** Parts of a project's deletion, one per service, in the order in which they are processed. */
export const PROJECT_PARTS = ['telemetry', 'diagnostics', 'datasets', 'knowledge', 'models', 'identity'] as const;
export type ProjectPartName = (typeof PROJECT_PARTS)[number];

const ADMIN = { kind: 'caller', scopes: ['workspace:admin'], permissions: ['workspace:admin'] } as const;
const Counts = z.record(z.string(), z.int().min(0));

export const ProjectErasureId = z.string().regex(idPattern('pers'), 'must be the id of a project erasure');

export const ProjectErasure = z
  .object({
    id: ProjectErasureId,
    projectId: ProjectId,
    status: z.enum(['running', 'completed']),
    requestedAt: EpochMs,
    requestedBy: z.object({ kind: z.enum(['key', 'user']), id: z.string() }),
    completedAt: EpochMs.nullable(),
    services: z
      .object(Object.fromEntries(PROJECT_PARTS.map((part) => [part, Counts])) as Record<ProjectPartName, typeof Counts>)
      .meta({ description: 'What was removed, by service and collection' }),
  })
  .meta({ id: 'ProjectErasure', description: 'The receipt of the deletion of a project' });
export type ProjectErasure = z.infer<typeof ProjectErasure>;

export const deleteProject = defineRoute({
  operationId: 'deleteProject',
  sdk: 'projects.delete',
  service: 'gateway',
  method: 'delete',
  path: '/v1/projects/:projectId',
  tag: 'Projects',
  summary: 'Delete a project, and all that every service has of it',
  description:
    'At once nobody can use it any more: its keys are revoked, and its routes answer 404. What it has is then removed in all services, which cannot be undone. The key that deletes it must be for all projects of the workspace. A repeat has the same erasure.',
  access: ADMIN,
  params: ProjectParams,
  responses: { 202: z.object({ erasureId: ProjectErasureId }) },
  responseHeaders: { Location: 'Where the erasure is read' },
});

export const getProjectErasure = defineRoute({
  operationId: 'getProjectErasure',
  sdk: 'projectErasures.get',
  service: 'gateway',
  method: 'get',
  path: '/v1/project-erasures/:projectErasureId',
  tag: 'Projects',
  summary: 'Read how far the deletion of a project has come, and what it removed',
  description: 'For a key that is for all projects of the workspace.',
  access: ADMIN,
  params: z.strictObject({ projectErasureId: ProjectErasureId }),
  ended: { member: 'status', values: ['completed'] },
  responses: { 200: ProjectErasure },
});

const ERASES_PROJECT = {
  method: 'delete',
  tag: 'Internal',
  access: { kind: 'internal', services: ['gateway'] },
  params: ProjectParams,
  responses: { 200: ErasedBatch },
} as const;

/** Internal: erases a project's data in telemetry-warehouse. */
export const eraseProjectTelemetry = defineRoute({
  ...ERASES_PROJECT,
  operationId: 'eraseProjectTelemetry',
  service: 'telemetry-warehouse',
  path: '/internal/v1/projects/:projectId/telemetry',
  summary: 'Remove the telemetry of a project, and refuse more; safe to repeat',
});

/** Internal: erases a project's data in diagnostics-svc. */
export const eraseProjectDiagnostics = defineRoute({
  ...ERASES_PROJECT,
  operationId: 'eraseProjectDiagnostics',
  service: 'diagnostics-svc',
  path: '/internal/v1/projects/:projectId/diagnostics',
  summary: 'Remove the Findings and Rules of a project, and refuse more; safe to repeat',
});

/** Internal: erases a project's data in datasets-svc. */
export const eraseProjectDatasets = defineRoute({
  ...ERASES_PROJECT,
  operationId: 'eraseProjectDatasets',
  service: 'datasets-svc',
  path: '/internal/v1/projects/:projectId/datasets',
  summary: 'Remove the Datasets of a project; safe to repeat',
});

/** Internal: erases a project's data in knowledge-svc. */
export const eraseProjectKnowledge = defineRoute({
  ...ERASES_PROJECT,
  operationId: 'eraseProjectKnowledge',
  service: 'knowledge-svc',
  path: '/internal/v1/projects/:projectId/knowledge',
  summary: 'Remove the goals, items and backfills of a project; safe to repeat',
});

/** Internal: erases a project's data in model-runtime-svc, including its claims on nodes. */
export const eraseProjectModels = defineRoute({
  ...ERASES_PROJECT,
  operationId: 'eraseProjectModels',
  service: 'model-runtime-svc',
  path: '/internal/v1/projects/:projectId/models',
  summary: 'Give back and remove what a project has of models; safe to repeat',
});
