import { z } from 'zod';
import { ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

const DiagnosticSettings = z.object({ automaticSchedulingEnabled: z.boolean() }).meta({ id: 'DiagnosticSettings' });
const SettingsResponse = z.object({ settings: DiagnosticSettings });

export const getDiagnosticSettings = defineRoute({
  operationId: 'getDiagnosticSettings',
  service: 'diagnostics-svc',
  method: 'get',
  path: '/v1/projects/:projectId/diagnostics/settings',
  tag: 'Findings',
  summary: 'Read the automatic scheduling settings',
  access: { kind: 'caller', scopes: ['diagnostics:read'], permissions: ['project:diagnostics:read'] },
  params: ProjectParams,
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: SettingsResponse },
});

export const updateDiagnosticSettings = defineRoute({
  operationId: 'updateDiagnosticSettings',
  service: 'diagnostics-svc',
  method: 'patch',
  path: '/v1/projects/:projectId/diagnostics/settings',
  tag: 'Findings',
  summary: 'Switch automatic scheduling on or off',
  access: { kind: 'caller', scopes: ['diagnostics:write'], permissions: ['project:diagnostics:write'] },
  params: ProjectParams,
  body: z.strictObject({ automaticSchedulingEnabled: z.boolean() }),
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: SettingsResponse },
});
