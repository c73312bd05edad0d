import { z } from 'zod';
import { ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Knowledge';
const PATH = '/v1/projects/:projectId/knowledge/settings';

export const KnowledgeSettings = z
  .strictObject({
    extractionEnabled: z.boolean().meta({ description: 'Whether Knowledge is extracted from conversations by itself' }),
  })
  .meta({ id: 'KnowledgeSettings' });
export type KnowledgeSettings = z.infer<typeof KnowledgeSettings>;

const SettingsResponse = z.object({ settings: KnowledgeSettings });

export const getKnowledgeSettings = defineRoute({
  operationId: 'getKnowledgeSettings',
  sdk: 'knowledge.settings.get',
  service: 'knowledge-svc',
  method: 'get',
  path: PATH,
  tag: TAG,
  summary: 'Read the settings of Knowledge',
  description: 'Whether anything is learned at all.',
  access: { kind: 'caller', scopes: ['workspace:read'], permissions: ['project:read'] },
  params: ProjectParams,
  responses: { 200: SettingsResponse },
});

export const updateKnowledgeSettings = defineRoute({
  operationId: 'updateKnowledgeSettings',
  sdk: 'knowledge.settings.update',
  service: 'knowledge-svc',
  method: 'patch',
  path: PATH,
  tag: TAG,
  summary: 'Switch automatic extraction on or off for the whole project',
  description:
    'It governs what happens by itself, from now on; what came before is a backfill. A backfill is asked for, and runs either way.',
  access: { kind: 'caller', scopes: ['workspace:write'], permissions: ['project:update'] },
  params: ProjectParams,
  body: KnowledgeSettings,
  responses: { 200: SettingsResponse },
});
