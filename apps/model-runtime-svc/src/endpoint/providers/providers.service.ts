import type { Doer, NewProvider, Provider, ProviderChange, ProviderTest } from '@clew/contracts';
import { AppError, notFound, page, type Clock, type CursorCodec, type PageQuery } from '@clew/kernel';
import { OutboundRefusedError, type Outbound } from '@clew/outbound';
import type { AuditTrail, Database, Deed, Transaction } from '@clew/persistence';
import type { SecretBox } from '@clew/secrets';
import type { ProviderDirectory } from './provider-directory.ts';
import type { ProviderModels } from './provider-models.ts';
import { changedProvider, newProvider, providerEtag, toProvider, type StoredProvider } from './provider.ts';
import { PROVIDERS, type ProviderStore } from './providers.store.ts';

export interface ProvidersDependencies {
  database: Pick<Database, 'withTransaction'>;
  providers: ProviderStore;
  audit: AuditTrail;
  directory: ProviderDirectory;
  providerModels: ProviderModels;
  secrets: SecretBox;
  outbound: Outbound;
  cursors: CursorCodec;
  clock: Clock;
  /** Called when facts about the models of a provider may no longer be valid. */
  onChanged: (projectId: string, name: string) => void;
}

/** Provider as callers see it, with the entity tag of this state. */
export interface TaggedProvider {
  provider: Provider;
  etag: string;
}

export interface ChangeConditions {
  doer: Doer;
  /** Throws if the state about to be changed is not the one that the caller knows. */
  check: (etag: string) => void;
}

export interface ProvidersService {
  /** Creates a provider; `inTransaction` runs in the same transaction. */
  create(
    projectId: string,
    input: NewProvider,
    doer: Doer,
    inTransaction: (tx: Transaction, created: TaggedProvider) => Promise<void>,
  ): Promise<TaggedProvider>;
  list(projectId: string, query: PageQuery): Promise<{ providers: Provider[]; nextCursor: string | null }>;
  get(projectId: string, name: string): Promise<TaggedProvider>;
  update(
    projectId: string,
    name: string,
    change: ProviderChange,
    conditions: ChangeConditions,
  ): Promise<TaggedProvider>;
  remove(projectId: string, name: string, conditions: ChangeConditions): Promise<void>;
  test(projectId: string, name: string): Promise<ProviderTest>;
  /**
   * Stores the models that a referrer names; returns the named providers that are missing. The others cannot be removed
   * while they are named.
   */
  setReference(
    projectId: string,
    referrer: { kind: string; id: string },
    models: readonly string[],
  ): Promise<{ missingProviders: string[] }>;
}

const MAX_UPDATE_ATTEMPTS = 5;
const MAX_SHOWN_MODELS = 500;

export function createProvidersService(deps: ProvidersDependencies): ProvidersService {
  const { database, providers, audit, directory, clock, cursors } = deps;
  const changed = (projectId: string, name: string) => {
    directory.forget(projectId, name);
    deps.onChanged(projectId, name);
  };

  const require = (projectId: string, name: string, tx?: Transaction) =>
    requireProvider(providers, projectId, name, tx);

  return {
    async create(projectId, input, doer, inTransaction) {
      const provider = newProvider(projectId, input, deps.secrets, clock.now());
      requireCallable(deps.outbound, provider.baseUrl);
      const created = tagged(provider);
      await database.withTransaction(async (tx) => {
        if (!(await providers.insert(tx, provider))) {
          throw new AppError('PROVIDER_EXISTS', 'The project has a provider of this name');
        }
        await audit.record(tx, doer, deedOn(provider, 'created'), { before: null, after: created.provider });
        await inTransaction(tx, created);
      });
      changed(projectId, provider.name);
      return created;
    },
    async list(projectId, query) {
      const { items, nextCursor } = await page(cursors, PROVIDERS, { projectId, ...query }, (slice) =>
        providers.list(projectId, slice),
      );
      return { providers: items.map(toProvider), nextCursor };
    },
    get: async (projectId, name) => tagged(await require(projectId, name)),
    async update(projectId, name, change, conditions) {
      if (change.baseUrl !== undefined) requireCallable(deps.outbound, change.baseUrl);
      const provider = await changeStored(deps, projectId, name, { change, conditions });
      changed(projectId, name);
      return tagged(provider);
    },
    async remove(projectId, name, { doer, check }) {
      await database.withTransaction(async (tx) => {
        const provider = await require(projectId, name, tx);
        check(providerEtag(provider));
        if (await providers.isReferenced(tx, projectId, name)) {
          throw new AppError('PROVIDER_IN_USE', 'Something of the project names a model of this provider');
        }
        await providers.remove(tx, projectId, name);
        await audit.record(tx, doer, deedOn(provider, 'deleted'), { before: toProvider(provider), after: null });
      });
      changed(projectId, name);
    },
    async test(projectId, name) {
      await require(projectId, name);
      // The test uses the stored state, not the cached one: an operator may just have changed it elsewhere.
      directory.forget(projectId, name);
      const startedMs = performance.now();
      const outcome = await deps.providerModels.ask(projectId, name);
      const models = outcome.models.slice(0, MAX_SHOWN_MODELS).map(({ id }) => `${name}/${id}`);
      const latencyMs = Math.round(performance.now() - startedMs);
      return { ok: outcome.reason === null, latencyMs, reason: outcome.reason, models };
    },
    async setReference(projectId, referrer, models) {
      return database.withTransaction(async (tx) => ({
        missingProviders: await providers.setReference(tx, projectId, referrer, { models }),
      }));
    },
  };
}

async function requireProvider(
  providers: Pick<ProviderStore, 'find'>,
  projectId: string,
  name: string,
  tx?: Transaction,
): Promise<StoredProvider> {
  const provider = await providers.find(projectId, name, tx);
  if (provider === undefined) throw providerNotFound();
  return provider;
}

/**
 * Changes a provider; tries again if another process has changed it meanwhile. The checked state is the one that is
 * replaced.
 */
async function changeStored(
  { database, providers, audit, secrets, clock }: ProvidersDependencies,
  projectId: string,
  name: string,
  { change, conditions: { doer, check } }: { change: ProviderChange; conditions: ChangeConditions },
): Promise<StoredProvider> {
  for (let attempt = 0; attempt < MAX_UPDATE_ATTEMPTS; attempt += 1) {
    const changed = await database.withTransaction(async (tx) => {
      const provider = await requireProvider(providers, projectId, name, tx);
      check(providerEtag(provider));
      const after = changedProvider(provider, change, secrets, clock.now());
      if (!(await providers.replace(after, tx))) return undefined;
      const views = { before: toProvider(provider), after: toProvider(after) };
      const also = change.apiKey === undefined ? {} : { apiKey: 'changed' };
      await audit.record(tx, doer, deedOn(after, 'changed'), { ...views, also });
      return after;
    });
    if (changed !== undefined) return changed;
  }
  throw new AppError('CONFLICT', 'The provider is being changed by others');
}

function deedOn({ projectId, name }: StoredProvider, deed: 'created' | 'changed' | 'deleted'): Deed {
  return { projectId, action: `model-provider.${deed}`, target: { kind: 'model-provider', id: name } };
}

function tagged(provider: StoredProvider): TaggedProvider {
  return { provider: toProvider(provider), etag: providerEtag(provider) };
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
