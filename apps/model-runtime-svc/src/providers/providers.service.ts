import type { NewProvider, Provider, ProviderChange, ProviderTest } from '@clew/contracts';
import { AppError, notFound, type Clock, type CursorCodec } from '@clew/kernel';
import { OutboundRefusedError, type Outbound } from '@clew/outbound';
import { keysetKey, type Database } from '@clew/persistence';
import type { SecretBox } from '@clew/secrets';
import type { ProviderDirectory } from './provider-directory.ts';
import type { ProviderModels } from './provider-models.ts';
import { changedProvider, newProvider, toProvider, type StoredProvider } from './provider.ts';
import { PROVIDER_SORT, type ProviderStore } from './providers.store.ts';

export interface ProvidersDependencies {
  database: Pick<Database, 'withTransaction'>;
  providers: ProviderStore;
  directory: ProviderDirectory;
  providerModels: ProviderModels;
  secrets: SecretBox;
  outbound: Outbound;
  cursors: CursorCodec;
  clock: Clock;
  /** What is known of the models of a provider may no longer hold. */
  onChanged: (projectId: string, name: string) => void;
}

export interface ProvidersService {
  create(projectId: string, input: NewProvider): Promise<Provider>;
  list(
    projectId: string,
    page: { limit: number; cursor?: string | undefined },
  ): Promise<{ providers: Provider[]; nextCursor: string | null }>;
  get(projectId: string, name: string): Promise<Provider>;
  update(projectId: string, name: string, change: ProviderChange): Promise<Provider>;
  remove(projectId: string, name: string): Promise<void>;
  test(projectId: string, name: string): Promise<ProviderTest>;
  setReference(projectId: string, referrer: { kind: string; id: string }, models: readonly string[]): Promise<void>;
}

const MAX_UPDATE_ATTEMPTS = 5;
const MAX_SHOWN_MODELS = 500;

export function createProvidersService(deps: ProvidersDependencies): ProvidersService {
  const { providers, directory, secrets, clock, cursors } = deps;
  const changed = (projectId: string, name: string) => {
    directory.forget(projectId, name);
    deps.onChanged(projectId, name);
  };

  async function update(projectId: string, name: string, change: ProviderChange): Promise<StoredProvider> {
    for (let attempt = 0; attempt < MAX_UPDATE_ATTEMPTS; attempt += 1) {
      const provider = await require(projectId, name);
      const after = changedProvider(provider, change, secrets, clock.now());
      if (await providers.replace(after)) return after;
    }
    throw new AppError('CONFLICT', 'The provider is being changed by others');
  }

  async function require(projectId: string, name: string): Promise<StoredProvider> {
    const provider = await providers.find(projectId, name);
    if (provider === undefined) throw providerNotFound();
    return provider;
  }

  return {
    async create(projectId, input) {
      const provider = newProvider(projectId, input, secrets, clock.now());
      requireCallable(deps.outbound, provider.baseUrl);
      if (!(await providers.insert(provider))) {
        throw new AppError('PROVIDER_EXISTS', 'The project has a provider of this name');
      }
      changed(projectId, provider.name);
      return toProvider(provider);
    },
    async list(projectId, { limit, cursor }) {
      const scope = { list: 'providers', projectId, filters: {} };
      const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
      if (cursor !== undefined && after === undefined) throw new AppError('INVALID_CURSOR', 'The cursor is not valid');
      const found = await providers.list(projectId, { limit: limit + 1, ...(after === undefined ? {} : { after }) });
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      const nextCursor =
        found.length > limit && last !== undefined ? cursors.encode(scope, keysetKey(PROVIDER_SORT, last)) : null;
      return { providers: shown.map(toProvider), nextCursor };
    },
    get: async (projectId, name) => toProvider(await require(projectId, name)),
    async update(projectId, name, change) {
      if (change.baseUrl !== undefined) requireCallable(deps.outbound, change.baseUrl);
      const provider = await update(projectId, name, change);
      changed(projectId, name);
      return toProvider(provider);
    },
    async remove(projectId, name) {
      await deps.database.withTransaction(async (tx) => {
        if (await providers.isReferenced(tx, projectId, name)) {
          throw new AppError('PROVIDER_IN_USE', 'Something of the project names a model of this provider');
        }
        if (!(await providers.remove(tx, projectId, name))) throw providerNotFound();
      });
      changed(projectId, name);
    },
    async test(projectId, name) {
      await require(projectId, name);
      // What an operator has just changed elsewhere is to be tested, not what is remembered.
      directory.forget(projectId, name);
      const startedMs = performance.now();
      const outcome = await deps.providerModels.ask(projectId, name);
      const models = outcome.models.slice(0, MAX_SHOWN_MODELS).map(({ id }) => `${name}/${id}`);
      const latencyMs = Math.round(performance.now() - startedMs);
      return { ok: outcome.reason === null, latencyMs, reason: outcome.reason, models };
    },
    setReference: (projectId, referrer, models) => providers.setReference(projectId, referrer, models),
  };
}

export function providerNotFound(): AppError {
  return notFound('PROVIDER_NOT_FOUND', 'The project has no provider of this name');
}

function requireCallable(outbound: Outbound, baseUrl: string): void {
  try {
    outbound.checkUrl(baseUrl);
  } catch (error) {
    if (!(error instanceof OutboundRefusedError)) throw error;
    const details = [{ path: 'body.baseUrl', message: error.message }];
    throw new AppError('OUTBOUND_REFUSED', error.message, { details, cause: error });
  }
}
