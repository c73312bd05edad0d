import type { ModelDetail } from '@clew/contracts';
import { AppError, type Clock } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import type { InstalledModelIds } from '../catalog.service.ts';
import type { ModelStore } from '../models.store.ts';
import { detailView } from '../views.ts';
import { categoryOf, hubModelId, type Model, type Profile } from '../../shared/index.ts';
import type { HubTokenOf } from '../hub/hub-access.ts';
import type { HubAccess, HubClient, HubRepository } from '../hub/hub-client.ts';
import { profilesOfFiles, withFacts } from './profiles-of-files.ts';

export interface ImportsDependencies {
  database: Pick<Database, 'withTransaction'>;
  models: ModelStore;
  installedModelIds: InstalledModelIds;
  hub: HubClient;
  hubTokenOf: HubTokenOf;
  clock: Clock;
}

export interface Imported {
  model: ModelDetail;
  isNew: boolean;
}

export type ImportsService = ReturnType<typeof createImportsService>;

const TIMEOUT_MS = 20_000;
const MAX_FILES = 2_000;

export function createImportsService(deps: ImportsDependencies) {
  const { database, models, hub, hubTokenOf, clock } = deps;

  /** Adds facts read from the files; a repository without such facts is usable too. */
  async function profilesWithFacts(
    repository: HubRepository,
    profiles: Profile[],
    access: HubAccess,
  ): Promise<Profile[]> {
    const { repoId, revision } = repository;
    const ofGguf = profiles.find(({ format }) => format === 'gguf')?.files[0]?.path;
    const ofConfig = profiles.some(({ format }) => format === 'safetensors');
    const [gguf, config] = await Promise.all([
      ofGguf === undefined ? undefined : known(hub.factsOfGguf(repoId, revision, ofGguf, access)),
      ofConfig ? known(hub.factsOfConfig(repoId, revision, access)) : undefined,
    ]);
    return profiles.map((profile) => {
      const facts = { gguf, safetensors: config, ctranslate2: undefined }[profile.format];
      return facts === undefined ? profile : withFacts(profile, facts);
    });
  }

  async function read(repoId: string, access: HubAccess): Promise<Model> {
    const repository = await hub.repository(repoId, access);
    const files = await hub.files(repoId, repository.revision, MAX_FILES, access);
    const modelId = hubModelId(repoId);
    const profiles = profilesOfFiles({ modelId, repository, files });
    const [first] = profiles[0]?.files ?? [];
    if (first === undefined) throw nothingToRun();
    const isGated = repository.private || repository.gated !== 'no';
    if (isGated) await hub.requireAccess(repoId, repository.revision, first.path, access);
    return modelOfRepository(repository, await profilesWithFacts(repository, profiles, access));
  }

  return {
    /**
     * Imports the current state of a repository and keeps its commit: a later download gets exactly the imported files.
     */
    async importFromHub(
      projectId: string,
      repoId: string,
      caller: AbortSignal,
      inTransaction: (tx: Transaction, imported: Imported) => Promise<void>,
    ): Promise<Imported> {
      const signal = AbortSignal.any([caller, AbortSignal.timeout(TIMEOUT_MS)]);
      const model = await read(repoId, { token: await hubTokenOf(projectId), signal });
      const installedIds = new Set(await deps.installedModelIds(projectId));
      return database.withTransaction(async (tx) => {
        const isNew = await models.putImported(tx, projectId, model, clock.now());
        const imported = { model: detailView(model, installedIds), isNew };
        await inTransaction(tx, imported);
        return imported;
      });
    },
  };
}

function modelOfRepository(repository: HubRepository, profiles: Profile[]): Model {
  const { repoId, pipelineTag, tags, license, downloads, likes, updatedAt } = repository;
  return {
    id: hubModelId(repoId),
    name: repoId.slice(repoId.indexOf('/') + 1),
    description: '',
    origin: 'imported',
    category: categoryOf(pipelineTag),
    ...{ pipelineTag, tags, license, repoId, downloads, likes, updatedAt },
    gated: repository.private || repository.gated !== 'no',
    contextLength: profiles.find(({ contextLength }) => contextLength !== null)?.contextLength ?? null,
    formats: [...new Set(profiles.map(({ format }) => format))],
    profiles,
  };
}

async function known<T>(facts: Promise<T>): Promise<T | undefined> {
  return facts.catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
}

function nothingToRun(): AppError {
  return new AppError('VALIDATION_FAILED', 'The repository holds no files that an engine here can run', {
    details: [
      { path: 'body.repoId', message: 'holds neither GGUF, safetensors nor CTranslate2 files that are complete' },
    ],
  });
}
