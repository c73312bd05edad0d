import { z } from 'zod';
import { EpochMs, pageQuery, Name, ProjectId, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

export const Project = z
  .object({ id: ProjectId, workspaceId: z.string(), name: z.string(), createdAt: EpochMs, updatedAt: EpochMs })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof Project>;

export const NewProject = z.strictObject({ name: Name });

const ADMIN = { kind: 'caller', scopes: ['workspace:admin'], permissions: ['workspace:admin'] } as const;

export const createProject = defineRoute({
  operationId: 'createProject',
  sdk: 'projects.create',
  service: 'gateway',
  method: 'post',
  path: '/v1/projects',
  tag: 'Projects',
  summary: 'Make a project',
  description: 'The key that makes it must be for all projects of the workspace.',
  access: ADMIN,
  idempotent: true,
  conditional: true,
  body: NewProject,
  responses: { 201: Project },
});

export const listProjects = defineRoute({
  operationId: 'listProjects',
  sdk: 'projects.list',
  service: 'gateway',
  method: 'get',
  path: '/v1/projects',
  tag: 'Projects',
  summary: 'List the projects that the caller can reach, newest first',
  description:
    'A project holds conversations, Findings, Knowledge and Datasets; a key may be for one, for some or for all.',
  access: { kind: 'caller', scopes: ['workspace:read', 'workspace:admin'], permissions: ['project:read'] },
  query: z.strictObject(pageQuery(500, 100)),
  responses: { 200: z.object({ projects: z.array(Project), nextCursor: z.string().nullable() }) },
});

export const getProject = defineRoute({
  operationId: 'getProject',
  sdk: 'projects.get',
  service: 'gateway',
  method: 'get',
  path: '/v1/projects/:projectId',
  tag: 'Projects',
  summary: 'Read one project',
  description: 'Its name and its times; what it holds has routes of its own.',
  access: { kind: 'caller', scopes: ['workspace:read', 'workspace:admin'], permissions: ['project:read'] },
  conditional: true,
  params: ProjectParams,
  responses: { 200: Project },
});

export const updateProject = defineRoute({
  operationId: 'updateProject',
  sdk: 'projects.update',
  service: 'gateway',
  method: 'patch',
  path: '/v1/projects/:projectId',
  tag: 'Projects',
  summary: 'Rename a project',
  description: 'Ids stay the same, so nothing that refers to the project breaks.',
  access: { kind: 'caller', scopes: ['workspace:admin'], permissions: ['project:update'] },
  conditional: true,
  params: ProjectParams,
  body: z.strictObject({ name: Name }),
  responses: { 200: Project },
});
