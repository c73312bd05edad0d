import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type Clock } from '@clew/kernel';
import type { ArtifactOutcome, ResourceStore, ServiceSpec } from '@clew/model-runtime';
import { TaskFailure, type Task } from '../reconcile/index.ts';
import type { Transfer } from '../transfer/index.ts';

export interface IntactFilesOptions {
  store: ResourceStore;
  transfer: Pick<Transfer, 'verifyArtifact'>;
  clock: Clock;
  /** Makes the agent look at a resource immediately. */
  poke(resourceId: string): void;
  spec: ServiceSpec;
  artifactFolder: string;
  task: Task;
}

const ARTIFACT_POLL_MS = 250;

/** Returns the files of the profile after verifying their bytes; damaged files are fetched again first. */
export async function intactFiles(options: IntactFilesOptions): Promise<string[]> {
  const { spec, artifactFolder, task } = options;
  for (;;) {
    const { files } = await fetchedArtifact(options);
    try {
      for (const { path, sha256 } of files) {
        await options.transfer.verifyArtifact(join(artifactFolder, path), sha256, task.signal);
      }
      return files.map(({ path }) => path);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'CHECKSUM_MISMATCH') throw error;
      task.line(`${error.message}; it is fetched again`);
      const { artifactId, artifactGeneration } = spec;
      const problem = { code: error.code, message: error.message };
      await options.store.redo(artifactId, artifactGeneration, problem, options.clock.now());
      options.poke(artifactId);
    }
  }
}

async function fetchedArtifact({ store, spec, task }: IntactFilesOptions): Promise<ArtifactOutcome> {
  const { artifactId, artifactGeneration } = spec;
  for (;;) {
    const artifact = await store.get(artifactId);
    const isWanted = artifact?.generation === artifactGeneration && artifact.desired === 'present';
    if (!isWanted || artifact.state === 'failed') {
      throw new TaskFailure(
        'ARTIFACT_NOT_DOWNLOADED',
        artifact?.error?.message ?? 'The artifacts are not on the node any more',
      );
    }
    if (artifact.state === 'ready') return artifact.outcome as ArtifactOutcome;
    await sleep(ARTIFACT_POLL_MS, undefined, { signal: task.signal });
  }
}
