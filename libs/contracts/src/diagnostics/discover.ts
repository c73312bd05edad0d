import { z } from 'zod';
import { ConversationId, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { Finding } from './findings.ts';

export const NewDiscovery = z.strictObject({ conversationId: ConversationId.optional() }).optional();

export const Discovery = z
  .object({
    conversationId: z.string(),
    outcome: z.enum(['findings_found', 'no_findings']),
    findings: z.array(Finding).meta({ description: 'What the conversation shows, the worst first' }),
  })
  .meta({ id: 'Discovery' });
export type Discovery = z.infer<typeof Discovery>;

export const discoverFindings = defineRoute({
  operationId: 'discoverFindings',
  sdk: 'findings.discover',
  service: 'diagnostics-svc',
  method: 'post',
  path: '/v1/projects/:projectId/diagnostics/findings/discover',
  tag: 'Findings',
  summary: 'Analyse the latest snapshot of one conversation, by all enabled Rules',
  description: 'Without a `conversationId`, of the conversation that began last.',
  access: { kind: 'caller', scopes: ['diagnostics:write'], permissions: ['project:diagnostics:write'] },
  params: ProjectParams,
  body: NewDiscovery,
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: Discovery },
  errors: ['DISCOVERY_CONVERSATION_NOT_FOUND', 'DISCOVERY_CONVERSATION_NOT_READY', 'DIAGNOSTIC_RULES_UNAVAILABLE'],
});
