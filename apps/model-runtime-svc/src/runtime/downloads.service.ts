import type { ModelDownload } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import {
  totalSizeBytes,
  artifactKey,
  type ArtifactOutcome,
  type ArtifactSpec,
  type Holding,
  type HoldingStore,
  isContentOf,
  type NodeFacts,
} from '@clew/model-runtime';
import type { Profile } from '../shared/index.ts';
import type { ResourcesService } from './resources.service.ts';
import type { RequestOf } from './request.ts';
import { downloadView } from './views.ts';

export interface ProfileRef {
  modelId: string;
  profileId: string;
}

export interface DownloadsDependencies {
  resourcesService: ResourcesService;
  holdings: HoldingStore;
  /** Throws MODEL_NOT_FOUND or PROFILE_NOT_FOUND. */
  profileOf(projectId: string, ref: ProfileRef): Promise<Profile>;
  /** Throws GATED_REPOSITORY if a file is gated and the hub does not open it for the project. */
  authorizeGated(projectId: string, profile: Profile): Promise<void>;
  requireNode(): Promise<NodeFacts>;
}

export type DownloadsService = ReturnType<typeof createDownloadsService>;

/** Space left free for other processes on the volume. */
const DISK_RESERVE_BYTES = 64 * 1024 * 1024;

export function createDownloadsService(deps: DownloadsDependencies) {
  const { resourcesService, holdings } = deps;
  const { node } = resourcesService;

  function heldOf(projectId: string, { modelId, profileId }: ProfileRef, tx?: Transaction): Promise<Holding[]> {
    return holdings
      .heldOf(projectId, node, 'artifact', modelId, tx)
      .then((held) => held.filter((holding) => holding.profileId === profileId));
  }

  async function requireUnused(tx: Transaction, projectId: string, ref: ProfileRef): Promise<void> {
    const services = await holdings.heldOf(projectId, node, 'service', ref.modelId, tx);
    if (services.some(({ profileId }) => profileId === ref.profileId)) {
      throw new AppError('CONFLICT', 'The service of the profile uses these artifacts: stop it first');
    }
  }

  /**
   * Gives back the project's other artifacts of a profile: a repository that was imported again may have other files.
   */
  async function releaseOthers(request: RequestOf, ref: ProfileRef, keptId: string): Promise<void> {
    const others = (await heldOf(request.projectId, ref)).filter(({ resourceId }) => resourceId !== keptId);
    for (const { resourceId } of others) {
      await resourcesService.release(request, resourceId, (tx) => requireUnused(tx, request.projectId, ref));
    }
  }

  /**
   * Finds artifacts that the project already has with the same content, even if the hub has since added facts about the
   * files.
   */
  async function sameContent(projectId: string, ref: ProfileRef, profile: Profile) {
    for (const { resourceId } of await heldOf(projectId, ref)) {
      const held = await resourcesService.held(projectId, resourceId);
      if (held?.resource.state === 'ready' && isContentOf(held.resource.outcome as ArtifactOutcome, profile))
        return held;
    }
    return undefined;
  }

  return {
    /** Returns the artifacts that the project has of a profile. */
    async artifactOf(projectId: string, ref: ProfileRef) {
      const [holding] = await heldOf(projectId, ref);
      if (holding === undefined) return undefined;
      const { resourceId } = holding;
      return { resourceId, key: resourceId.slice(resourcesService.idOf('artifact', '').length) };
    },

    async start(request: RequestOf, ref: ProfileRef): Promise<ModelDownload> {
      const { projectId } = request;
      const profile = await deps.profileOf(projectId, ref);
      const same = await sameContent(projectId, ref, profile);
      if (same !== undefined) return downloadView(same.holding, same.resource);
      const key = artifactKey(profile);
      const resourceId = resourcesService.idOf('artifact', key);
      if ((await resourcesService.held(projectId, resourceId)) === undefined) {
        await deps.authorizeGated(projectId, profile);
      }
      await releaseOthers(request, ref, resourceId);
      const { resource, holding } = await resourcesService.acquire<ArtifactSpec>({
        ...request,
        kind: 'artifact',
        key,
        subject: ref,
        spec: { profile, projectId },
        beforeNew: async () => requireDisk(profile, await deps.requireNode()),
      });
      return downloadView(holding, resource);
    },

    /** Resolves with the record while it is being removed, undefined when the project has nothing left of it. */
    async remove(request: RequestOf, ref: ProfileRef, generation: number): Promise<ModelDownload | undefined> {
      const { projectId } = request;
      const left = await resourcesService.remove({
        ...request,
        ...{ kind: 'artifact', subject: ref, generation },
        before: (tx) => requireUnused(tx, projectId, ref),
        requireKnown: () => deps.profileOf(projectId, ref),
      });
      return left === undefined ? undefined : downloadView(left.holding, left.resource);
    },
  };
}

function requireDisk(profile: Profile, { disk }: NodeFacts): void {
  const needed = totalSizeBytes(profile.files);
  if (disk === null || needed === null || needed + DISK_RESERVE_BYTES <= disk.freeBytes) return;
  const mib = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
  throw new AppError(
    'INSUFFICIENT_DISK',
    `${mib(needed)} MiB are needed on the models volume and ${mib(disk.freeBytes)} MiB are free`,
  );
}
