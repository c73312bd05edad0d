import { z } from 'zod';
import { hasControlCharacter } from '@clew/kernel';
import { EpochMs, pageQuery, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { ModelName, ProviderName } from './model-name.ts';

const READ = { kind: 'caller', scopes: ['workspace:read'], permissions: ['project:read'] } as const;
const MANAGE = { kind: 'caller', scopes: ['models:manage'], permissions: ['project:models:manage'] } as const;

/** Providers with a default address. */
export const KNOWN_PROVIDERS: Readonly<Record<string, { baseUrl: string }>> = {
  openai: { baseUrl: 'https://api.openai.com/v1' },
  anthropic: { baseUrl: 'https://api.anthropic.com/v1' },
};

const BaseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL, such as https://host/v1', abort: true })
  .max(2_000)
  .refine((url) => {
    const parsed = URL.parse(url);
    return parsed?.username === '' && parsed.password === '' && parsed.search === '' && parsed.hash === '';
  }, 'must have neither credentials, query nor fragment')
  .meta({ description: 'Where its OpenAI-compatible API is: `https://host/v1`' });

const ProviderKey = z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'must be 1 to 4,096 visible characters');

const MAX_PRICES = 500;

/** Price as a decimal number in text, since no binary fraction holds one exactly. */
const Price = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,6})?$/, 'must be a decimal number with at most 6 digits after the dot');

export const ModelPrice = z
  .strictObject({
    model: z
      .string()
      .regex(/^\S{1,236}$/, 'must be the name of a model at the provider')
      .refine((name) => name.isWellFormed() && !hasControlCharacter(name), 'must hold no control characters'),
    inputPerMillionTokens: Price,
    outputPerMillionTokens: Price,
    currency: z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters, as EUR'),
  })
  .meta({ id: 'ModelPrice', description: 'What a model costs; none are built in' });
export type ModelPrice = z.infer<typeof ModelPrice>;

const Prices = z
  .array(ModelPrice)
  .max(MAX_PRICES)
  .refine((prices) => new Set(prices.map(({ model }) => model)).size === prices.length, 'must name each model once')
  .meta({ description: 'Replaces all prices. Calls cost what was entered at their time; a change is for later calls' });

export const Provider = z
  .object({
    name: z.string(),
    baseUrl: z.string(),
    hasApiKey: z.boolean(),
    prices: z.array(ModelPrice),
    createdAt: EpochMs,
    updatedAt: EpochMs,
  })
  .meta({ id: 'Provider', description: 'An OpenAI-compatible endpoint of a project; its key is never shown' });
export type Provider = z.infer<typeof Provider>;

export const NewProvider = z
  .strictObject({
    name: ProviderName,
    baseUrl: BaseUrl.optional(),
    apiKey: ProviderKey.optional(),
    prices: Prices.optional(),
  })
  .refine(({ name, baseUrl }) => baseUrl !== undefined || Object.hasOwn(KNOWN_PROVIDERS, name), {
    path: ['baseUrl'],
    message: `is required, but for ${Object.keys(KNOWN_PROVIDERS).join(' and ')}`,
  });
export type NewProvider = z.infer<typeof NewProvider>;

export const ProviderChange = z
  .strictObject({ baseUrl: BaseUrl.optional(), apiKey: ProviderKey.nullable().optional(), prices: Prices.optional() })
  .refine((change) => Object.keys(change).length > 0, 'must change something');
export type ProviderChange = z.infer<typeof ProviderChange>;

const PROVIDERS_PATH = '/v1/projects/:projectId/models/providers';
const PROVIDERS = { path: PROVIDERS_PATH, tag: 'Providers', params: ProjectParams } as const;
const PROVIDER = {
  path: `${PROVIDERS_PATH}/:name`,
  tag: 'Providers',
  params: ProjectParams.extend({ name: z.string() }),
} as const;

export const createProvider = defineRoute({
  ...PROVIDERS,
  operationId: 'createProvider',
  sdk: 'providers.create',
  service: 'model-runtime-svc',
  conditional: true,
  method: 'post',
  summary: 'Add an OpenAI-compatible provider',
  description:
    'From then on its models can be called as `<name>/<model>`. Its key is stored encrypted and never shown; `testProvider` tells whether it works.',
  access: MANAGE,
  idempotent: true,
  body: NewProvider,
  responses: { 201: Provider },
  errors: ['OUTBOUND_REFUSED', 'PROVIDER_EXISTS'],
});

export const listProviders = defineRoute({
  ...PROVIDERS,
  operationId: 'listProviders',
  sdk: 'providers.list',
  service: 'model-runtime-svc',
  method: 'get',
  summary: 'List the providers, by name',
  description:
    'A provider is an OpenAI-compatible API under a name; its models are `<name>/<model>`. Keys are never shown.',
  access: READ,
  query: z.strictObject(pageQuery(100, 100)),
  responses: { 200: z.object({ providers: z.array(Provider), nextCursor: z.string().nullable() }) },
});

export const getProvider = defineRoute({
  ...PROVIDER,
  operationId: 'getProvider',
  sdk: 'providers.get',
  service: 'model-runtime-svc',
  conditional: true,
  method: 'get',
  summary: 'Read one provider',
  description: 'The answer carries a strong `ETag`, which a PATCH or DELETE may name in `If-Match`.',
  access: READ,
  responses: { 200: Provider },
  errors: ['PROVIDER_NOT_FOUND'],
});

export const updateProvider = defineRoute({
  ...PROVIDER,
  operationId: 'updateProvider',
  sdk: 'providers.update',
  service: 'model-runtime-svc',
  conditional: true,
  method: 'patch',
  summary: 'Change the address, the key or the prices; `apiKey: null` removes the key',
  description:
    'A key is never sent to another host than the one it was given for: a new address needs it again. With `If-Match`, ' +
    '412 when the provider is no longer what that `ETag` names.',
  access: MANAGE,
  body: ProviderChange,
  responses: { 200: Provider },
  errors: ['OUTBOUND_REFUSED', 'PROVIDER_NOT_FOUND', 'CONFLICT'],
});

export const deleteProvider = defineRoute({
  ...PROVIDER,
  operationId: 'deleteProvider',
  sdk: 'providers.delete',
  service: 'model-runtime-svc',
  conditional: true,
  method: 'delete',
  summary: 'Remove a provider; 409 PROVIDER_IN_USE while something names one of its models',
  description: 'With `If-Match`, 412 when the provider is no longer what that `ETag` names.',
  access: MANAGE,
  responses: { 204: null },
  errors: ['PROVIDER_NOT_FOUND', 'PROVIDER_IN_USE', 'CONFLICT'],
});

export const ProviderTest = z
  .object({
    ok: z.boolean(),
    latencyMs: z.int().min(0),
    reason: z.string().nullable().meta({ description: 'Why the test call failed' }),
    models: z.array(z.string()).meta({ description: 'The models that it lists, at most 500, as they are to be named' }),
  })
  .meta({ id: 'ProviderTest' });
export type ProviderTest = z.infer<typeof ProviderTest>;

export const testProvider = defineRoute({
  ...PROVIDER,
  path: `${PROVIDER.path}/test`,
  operationId: 'testProvider',
  sdk: 'providers.test',
  service: 'model-runtime-svc',
  method: 'post',
  summary: 'Ask a provider for its models, to see whether address and key work',
  description: 'What is wrong is in the answer, which is 200 also then.',
  access: MANAGE,
  responses: { 200: ProviderTest },
  errors: ['PROVIDER_NOT_FOUND'],
});

/**
 * Internal: a service reports which models one of its objects names, so that their provider is not removed meanwhile.
 */
export const setModelReference = defineRoute({
  operationId: 'setModelReference',
  service: 'model-runtime-svc',
  method: 'put',
  path: '/internal/v1/projects/:projectId/model-references/:kind/:referrerId',
  tag: 'Internal',
  summary: 'Say which models a goal, Dataset, Rule or the like names; an empty list says none',
  description:
    'What is named is kept whether its provider is there or not. The answer tells which providers are missing at that ' +
    'moment: all others stay until nothing names them any more.',
  access: { kind: 'internal', services: ['jobs-worker', 'diagnostics-svc'] },
  params: ProjectParams.extend({
    kind: z.string().regex(/^[a-z][a-z_-]{0,39}$/),
    referrerId: z.string().min(1).max(200),
  }),
  body: z.strictObject({ models: z.array(ModelName).max(20) }),
  responses: { 200: z.object({ missingProviders: z.array(z.string()) }) },
});
