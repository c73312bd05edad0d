import { z } from 'zod';
import { EpochMs, Name, pageQuery, ProjectParams, textOf } from '../common/primitives.ts';
import { READ_FINDINGS, WRITE_FINDINGS } from './findings.ts';
import {
  GitHubDestination,
  GitLabDestination,
  JiraCredentials,
  JiraDestination,
  LinearDestination,
  TokenCredentials,
  TrackerBaseUrl,
  TrackerDestination,
  trackerNamed,
  TrackerProvider,
} from './issue-trackers.ts';
import { defineRoute } from '../route.ts';

/** Maximum number of connectors of a project. */
export const MAX_CONNECTORS = 100;
/** Time for which deliveries signed with the webhook secret before the last change are still taken. */
export const WEBHOOK_SECRET_GRACE_MS = 3_600_000;

export const Connector = z
  .object({
    id: z.string(),
    projectId: z.string(),
    provider: TrackerProvider,
    name: z.string().nullable(),
    baseUrl: z.string().nullable().meta({ description: "Null for the provider's own address" }),
    enabled: z.boolean(),
    isDefault: z.boolean().meta({ description: 'Whether work items for this provider use it unless they name one' }),
    defaultDestination: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'Where issues are created unless the work item says otherwise, in the form of the provider',
    }),
    hasWebhookSecret: z.boolean().meta({ description: 'Without one, no delivery of the provider is taken' }),
    webhookPath: z.string().meta({ description: 'Path below the public URL to which the provider sends its webhooks' }),
    createdAt: EpochMs,
    updatedAt: EpochMs,
  })
  .meta({ id: 'Connector', description: 'Access to one issue tracker; its credentials are never shown' });
export type Connector = z.infer<typeof Connector>;

const WebhookSecret = textOf(1_000)
  .min(1)
  .refine((text) => text.trim() === text && !/[\t\n\r]/.test(text), 'must be one line without spaces around it')
  .meta({ description: 'The secret that the provider signs its webhooks with, or sends with them' });

const BASE_URL = 'Of a self-hosted server, without the path of its API (`/api/v3`, `/api/v4`)';
const OPTIONS = {
  name: Name.optional(),
  webhookSecret: WebhookSecret.optional(),
  isDefault: z.boolean().optional().meta({
    description: 'By default, the first connector for a provider is its default. True takes over from another one',
  }),
  enabled: z.boolean().default(true),
};
const BaseUrl = TrackerBaseUrl.meta({ description: BASE_URL });

/** New connector. The form of its credentials and of its destination depends on the provider. */
export const NewConnector = z.discriminatedUnion('provider', [
  z.strictObject({
    provider: trackerNamed('github'),
    baseUrl: BaseUrl.optional(),
    credentials: TokenCredentials,
    defaultDestination: GitHubDestination.optional(),
    ...OPTIONS,
  }),
  z.strictObject({
    provider: trackerNamed('gitlab'),
    baseUrl: BaseUrl.optional(),
    credentials: TokenCredentials,
    defaultDestination: GitLabDestination.optional(),
    ...OPTIONS,
  }),
  z.strictObject({
    provider: trackerNamed('jira'),
    baseUrl: BaseUrl.meta({ description: 'Address of the site: `https://<site>.atlassian.net`' }),
    credentials: JiraCredentials,
    defaultDestination: JiraDestination.optional(),
    ...OPTIONS,
  }),
  z.strictObject({
    provider: trackerNamed('linear'),
    baseUrl: BaseUrl.optional(),
    credentials: TokenCredentials,
    defaultDestination: LinearDestination.optional(),
    ...OPTIONS,
  }),
]);
export type NewConnector = z.infer<typeof NewConnector>;

export const ConnectorChange = z
  .strictObject({
    name: Name.nullable().optional(),
    baseUrl: BaseUrl.nullable().optional().meta({ description: "Null for the provider's own address" }),
    credentials: z.union([TokenCredentials, JiraCredentials]).optional().meta({
      description: 'Replaces the credentials; needed again where the address leads to another host',
    }),
    defaultDestination: TrackerDestination.nullable().optional(),
    webhookSecret: WebhookSecret.nullable().optional().meta({
      description: 'The former secret is valid for another hour. Null removes both at once',
    }),
    isDefault: z.boolean().optional(),
    enabled: z.boolean().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'must hold at least one field');
export type ConnectorChange = z.infer<typeof ConnectorChange>;

export const ConnectorTest = z
  .object({
    ok: z.boolean().meta({ description: 'Whether issues can be created, in the default destination if there is one' }),
    account: z.string().nullable().meta({ description: 'Whose credentials these are' }),
    destination: z.object({ name: z.string(), url: z.string() }).nullable().meta({
      description: 'The default destination as the provider names it',
    }),
    reason: z
      .enum([
        'credentials',
        'permission',
        'destination',
        'content',
        'gone',
        'state',
        'address',
        'rate_limited',
        'unavailable',
        'unknown',
      ])
      .nullable()
      .meta({ description: 'What has to change, or that the provider did not answer' }),
    error: z.string().nullable().meta({ description: 'The same in words' }),
    latencyMs: z.int().min(0),
  })
  .meta({ id: 'ConnectorTest' });
export type ConnectorTest = z.infer<typeof ConnectorTest>;

const ALL = {
  service: 'diagnostics-svc',
  tag: 'Connectors',
  path: '/v1/projects/:projectId/diagnostics/connectors',
  params: ProjectParams,
  invalidQueryCode: 'INVALID_FILTER',
} as const;
/** Connector id of any form: an impossible id is answered like an unknown one. */
const ONE = {
  ...ALL,
  path: `${ALL.path}/:connectorId`,
  params: ProjectParams.extend({ connectorId: z.string() }),
} as const;

const ConnectorQuery = z.strictObject(pageQuery(500, 100));

export const listConnectors = defineRoute({
  ...ALL,
  operationId: 'listConnectors',
  sdk: 'connectors.list',
  method: 'get',
  summary: 'List the connectors to issue trackers, newest first',
  description:
    'A connector holds the credentials with which issues are made at an issue tracker. Credentials are never shown.',
  access: READ_FINDINGS,
  query: ConnectorQuery,
  responses: { 200: z.object({ connectors: z.array(Connector), nextCursor: z.string().nullable() }) },
  errors: ['FINDING_WORK_ITEMS_UNAVAILABLE'],
});

export const createConnector = defineRoute({
  ...ALL,
  operationId: 'createConnector',
  sdk: 'connectors.create',
  conditional: true,
  idempotent: true,
  method: 'post',
  summary: 'Connect an issue tracker',
  description: 'The provider is not asked: the test of the connector tells whether it answers.',
  access: WRITE_FINDINGS,
  body: NewConnector,
  responses: { 201: Connector },
  errors: ['OUTBOUND_REFUSED', 'TOO_MANY_CONNECTORS', 'FINDING_WORK_ITEMS_UNAVAILABLE'],
});

export const getConnector = defineRoute({
  ...ONE,
  operationId: 'getConnector',
  sdk: 'connectors.get',
  conditional: true,
  method: 'get',
  summary: 'Read one connector',
  description: 'The answer carries a strong `ETag`, which a PATCH or DELETE may name in `If-Match`.',
  access: READ_FINDINGS,
  responses: { 200: Connector },
  errors: ['CONNECTOR_NOT_FOUND', 'FINDING_WORK_ITEMS_UNAVAILABLE'],
});

export const updateConnector = defineRoute({
  ...ONE,
  operationId: 'updateConnector',
  sdk: 'connectors.update',
  conditional: true,
  method: 'patch',
  summary: 'Change a connector, rotate its credentials, or switch it on or off',
  description:
    'Credentials are never sent to another host than the one they were given for: such an address needs them again. ' +
    'With `If-Match`, 412 when the connector is no longer what that `ETag` names.',
  access: WRITE_FINDINGS,
  body: ConnectorChange,
  responses: { 200: Connector },
  errors: ['OUTBOUND_REFUSED', 'CONNECTOR_NOT_FOUND', 'FINDING_WORK_ITEMS_UNAVAILABLE'],
});

export const deleteConnector = defineRoute({
  ...ONE,
  operationId: 'deleteConnector',
  sdk: 'connectors.delete',
  conditional: true,
  method: 'delete',
  summary: 'Remove a connector with its credentials; safe to repeat',
  description: 'With `If-Match`, 412 when the connector is no longer what that `ETag` names.',
  access: WRITE_FINDINGS,
  responses: { 204: null },
  errors: ['CONNECTOR_NOT_FOUND', 'FINDING_WORK_ITEMS_UNAVAILABLE'],
});

export const testConnector = defineRoute({
  ...ONE,
  path: `${ONE.path}/test`,
  operationId: 'testConnector',
  sdk: 'connectors.test',
  method: 'post',
  summary: 'Ask the provider whether credentials, address and default destination work',
  description: 'Makes nothing there. What is wrong is in the answer, which is 200 also then.',
  access: WRITE_FINDINGS,
  responses: { 200: ConnectorTest },
  errors: ['CONNECTOR_NOT_FOUND', 'FINDING_WORK_ITEMS_UNAVAILABLE'],
});
