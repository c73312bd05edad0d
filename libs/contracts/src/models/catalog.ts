import { z } from 'zod';
import { BooleanQuery, EpochMs, pageQuery, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { ModelFormat, ModelProfile } from './profiles.ts';
import { RuntimeSnapshot } from './runtime-records.ts';

export const MODEL_CATEGORIES = ['chat', 'embedding', 'transcription', 'reranking', 'vision', 'other'] as const;
export const ModelCategory = z.enum(MODEL_CATEGORIES);
export type ModelCategory = z.infer<typeof ModelCategory>;

export const MODEL_ORIGINS = ['builtin', 'imported', 'discovered'] as const;
export type ModelOrigin = (typeof MODEL_ORIGINS)[number];

/** Path words below `models/`, which are never ids of models. */
export const RESERVED_MODEL_IDS = [
  'runtime',
  'activity',
  'catalog',
  'imports',
  'engines',
  'availability',
  'providers',
  'catalog-refreshes',
  'hub-token',
  'settings',
  'usage',
] as const;

export const CatalogModel = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    origin: z.enum(MODEL_ORIGINS).meta({
      description: 'Part of the product, imported by the project, or seen on the hub and not imported yet',
    }),
    category: ModelCategory,
    pipelineTag: z.string().nullable(),
    tags: z.array(z.string()),
    license: z.string().nullable(),
    repoId: z.string().nullable().meta({ description: 'Its repository on the model hub' }),
    gated: z.boolean(),
    formats: z.array(ModelFormat),
    contextLength: z.int().min(1).nullable(),
    sizeBytes: z.int().min(0).nullable().meta({ description: 'Of its smallest profile' }),
    downloads: z.int().min(0).nullable(),
    likes: z.int().min(0).nullable(),
    updatedAt: EpochMs.nullable(),
    installed: z.boolean().meta({ description: 'The project has all files of one of its profiles' }),
  })
  .meta({ id: 'CatalogModel' });
export type CatalogModel = z.infer<typeof CatalogModel>;

/** Result of the last refresh from the model hub. */
export const HubStatus = z
  .object({
    state: z.enum(['never', 'succeeded', 'failed']),
    refreshedAt: EpochMs.nullable().meta({ description: 'When the hub was last read successfully' }),
    attemptedAt: EpochMs.nullable(),
    reason: z.string().nullable().meta({ description: 'Why the last attempt failed' }),
  })
  .meta({ id: 'HubStatus' });
export type HubStatus = z.infer<typeof HubStatus>;

const READ = { kind: 'caller', scopes: ['workspace:read'], permissions: ['project:read'] } as const;
const MANAGE = { kind: 'caller', scopes: ['models:manage'], permissions: ['project:models:manage'] } as const;

export const CATALOG_SORT_FIELDS = ['name', 'downloads', 'likes', 'updatedAt', 'size'] as const;
export type CatalogSortField = (typeof CATALOG_SORT_FIELDS)[number];

export const CatalogSort = z
  .string()
  .regex(
    new RegExp(`^(?:${CATALOG_SORT_FIELDS.join('|')}):(?:asc|desc)$`),
    `must be one of ${CATALOG_SORT_FIELDS.join(', ')}, followed by :asc or :desc`,
  )
  .default('name:asc')
  .transform((value) => {
    const [field, direction] = value.split(':') as [CatalogSortField, 'asc' | 'desc'];
    return { field, direction };
  });

export const CatalogQuery = z.strictObject({
  search: z.string().max(200).trim().min(1).optional().meta({ description: 'Words in names and tags, all of them' }),
  category: ModelCategory.optional(),
  pipelineTag: z.string().min(1).max(100).optional(),
  format: ModelFormat.optional(),
  installed: BooleanQuery.optional().meta({ description: 'When true, only installed models' }),
  sort: CatalogSort,
  ...pageQuery(100, 20),
});
export type CatalogQuery = z.infer<typeof CatalogQuery>;

export const CatalogPage = z
  .object({
    models: z.array(CatalogModel),
    nextCursor: z.string().nullable(),
    limit: z.int(),
    hub: HubStatus,
  })
  .meta({ id: 'CatalogPage' });
export type CatalogPage = z.infer<typeof CatalogPage>;

export const getCatalog = defineRoute({
  operationId: 'getModelCatalog',
  sdk: 'models.list',
  service: 'model-runtime-svc',
  method: 'get',
  path: '/v1/projects/:projectId/models/catalog',
  tag: 'Model Runtime',
  summary: 'Read a page of the catalog, with the runtime snapshot beside it',
  description: 'Built-in models, those that were imported, and what the model hub has.',
  access: READ,
  params: ProjectParams,
  query: CatalogQuery,
  responses: { 200: z.object({ runtime: RuntimeSnapshot, page: CatalogPage }) },
});

export const ModelDetail = CatalogModel.extend({
  profiles: z.array(ModelProfile),
  selectedProfileId: z
    .string()
    .nullable()
    .meta({ description: 'The profile of the path, else the one that suits most machines' }),
}).meta({ id: 'ModelDetail' });
export type ModelDetail = z.infer<typeof ModelDetail>;

const ModelParams = ProjectParams.extend({ modelId: z.string() });

export const getModel = defineRoute({
  operationId: 'getModel',
  sdk: 'models.get',
  service: 'model-runtime-svc',
  method: 'get',
  path: '/v1/projects/:projectId/models/:modelId',
  tag: 'Model Runtime',
  summary: 'Read a model with its profiles',
  description:
    'What it is for, its size and license, and the profiles in which it can run: format, quantization, engine and the memory that it takes.',
  access: READ,
  params: ModelParams,
  responses: { 200: ModelDetail },
  errors: ['MODEL_NOT_FOUND'],
});

export const getModelProfile = defineRoute({
  operationId: 'getModelProfile',
  sdk: 'models.profiles.get',
  service: 'model-runtime-svc',
  method: 'get',
  path: '/v1/projects/:projectId/models/:modelId/profiles/:profileId',
  tag: 'Model Runtime',
  summary: 'Read a model with one of its profiles selected',
  description: 'As `getModel`, for a link to one profile.',
  access: READ,
  params: ModelParams.extend({ profileId: z.string() }),
  responses: { 200: ModelDetail },
  errors: ['MODEL_NOT_FOUND', 'PROFILE_NOT_FOUND'],
});

export const HubFile = z.object({ path: z.string(), sizeBytes: z.int().min(0), sha256: z.string().nullable() });

export const HubDetails = z
  .object({
    modelId: z.string(),
    repoId: z.string(),
    available: z.boolean().meta({ description: 'Whether the hub could be read just now' }),
    reason: z.string().nullable().meta({ description: 'Why it could not' }),
    details: z
      .object({
        revision: z.string(),
        author: z.string(),
        private: z.boolean(),
        gated: z.enum(['no', 'auto', 'manual']),
        pipelineTag: z.string().nullable(),
        library: z.string().nullable(),
        license: z.string().nullable(),
        tags: z.array(z.string()),
        downloads: z.int().min(0),
        likes: z.int().min(0),
        updatedAt: EpochMs,
        parameterCount: z.int().min(0).nullable(),
        files: z.array(HubFile),
        filesTruncated: z.boolean(),
      })
      .nullable(),
  })
  .meta({ id: 'HubDetails' });
export type HubDetails = z.infer<typeof HubDetails>;

export const getHubDetails = defineRoute({
  operationId: 'getHubDetails',
  sdk: 'models.hubDetails',
  service: 'model-runtime-svc',
  method: 'get',
  path: '/v1/projects/:projectId/models/:modelId/hub-details',
  tag: 'Model Runtime',
  summary: 'Read what the model hub says about a model',
  description: 'Where the hub does not answer, `available` is false and `reason` tells why.',
  access: READ,
  params: ModelParams,
  responses: { 200: HubDetails },
  errors: ['MODEL_NOT_FOUND'],
});

export const refreshCatalog = defineRoute({
  operationId: 'refreshCatalog',
  sdk: 'models.refreshCatalog',
  service: 'model-runtime-svc',
  method: 'post',
  path: '/v1/projects/:projectId/models/catalog-refreshes',
  tag: 'Model Runtime',
  summary: 'Refresh the catalog from the model hub',
  description:
    'Reads the most downloaded runnable models of each task, and the facts of known ones. With `search`, adds what the ' +
    'hub finds for those words. A hub that is away is no error of this call: the answer says so.',
  access: MANAGE,
  params: ProjectParams,
  body: z.strictObject({ search: z.string().max(200).trim().min(1).optional() }).optional(),
  responses: { 200: z.object({ hub: HubStatus, discoveredCount: z.int().min(0) }) },
});

const REPO_ID_MESSAGE = 'must be <owner>/<name>';

/**
 * Repository id `<owner>/<name>` as the hub spells it; `--` and `..` cannot occur, so an id made of both parts is
 * unambiguous.
 */
export const HubRepoId = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,95}\/[A-Za-z0-9_][A-Za-z0-9._-]{0,95}$/, { error: REPO_ID_MESSAGE, abort: true })
  .refine((repoId) => !/--|\.\.|[-.](?:\/|$)/.test(repoId), REPO_ID_MESSAGE);

export const importFromHub = defineRoute({
  operationId: 'importFromHub',
  sdk: 'models.import',
  service: 'model-runtime-svc',
  method: 'post',
  path: '/v1/projects/:projectId/models/imports/hub',
  tag: 'Model Runtime',
  summary: 'Import one exact repository of the model hub',
  description: 'Importing again reads the repository anew; then the answer is 200.',
  access: MANAGE,
  idempotent: true,
  params: ProjectParams,
  body: z.strictObject({ repoId: HubRepoId }),
  responses: { 200: ModelDetail, 201: ModelDetail },
  errors: ['GATED_REPOSITORY', 'MODEL_NOT_FOUND'],
});

export const HubTokenStatus = z
  .object({ hasToken: z.boolean(), updatedAt: EpochMs.nullable() })
  .meta({ id: 'HubTokenStatus' });
export type HubTokenStatus = z.infer<typeof HubTokenStatus>;

const HUB_TOKEN_PATH = '/v1/projects/:projectId/models/hub-token';

export const getHubToken = defineRoute({
  operationId: 'getHubToken',
  sdk: 'models.hubToken.get',
  service: 'model-runtime-svc',
  method: 'get',
  path: HUB_TOKEN_PATH,
  tag: 'Model Runtime',
  summary: 'Whether the project has a token for the model hub',
  description: 'The token itself is never shown.',
  access: READ,
  params: ProjectParams,
  responses: { 200: HubTokenStatus },
});

export const setHubToken = defineRoute({
  operationId: 'setHubToken',
  sdk: 'models.hubToken.set',
  service: 'model-runtime-svc',
  method: 'put',
  path: HUB_TOKEN_PATH,
  tag: 'Model Runtime',
  summary: 'Set the token that opens gated repositories for the project',
  description: 'The token is stored encrypted and never shown again.',
  access: MANAGE,
  params: ProjectParams,
  body: z.strictObject({ token: z.string().regex(/^[\x21-\x7e]{1,512}$/, 'must be 1 to 512 visible characters') }),
  responses: { 200: HubTokenStatus },
});

export const deleteHubToken = defineRoute({
  operationId: 'deleteHubToken',
  sdk: 'models.hubToken.delete',
  service: 'model-runtime-svc',
  method: 'delete',
  path: HUB_TOKEN_PATH,
  tag: 'Model Runtime',
  summary: 'Forget the project’s token for the model hub',
  description: 'Safe to repeat.',
  access: MANAGE,
  params: ProjectParams,
  responses: { 204: null },
});
