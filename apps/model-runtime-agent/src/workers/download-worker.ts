import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { ArtifactFile } from '@clew/contracts';
import { totalSizeBytes, type ArtifactOutcome, type ArtifactSpec } from '@clew/model-runtime';
import type { Home } from '../node/index.ts';
import { TaskFailure, type Task, type Worker } from '../reconcile/index.ts';
import type { Transfer } from '../transfer/index.ts';

export interface DownloadWorkerOptions {
  home: Home;
  transfer: Pick<Transfer, 'fetchArtifact' | 'discardPartial' | 'removeUnused'>;
  hubTokenOf(projectId: string): Promise<string | undefined>;
}

/** Fetches and removes the artifacts of profiles. */
export function createDownloadWorker({ home, transfer, hubTokenOf }: DownloadWorkerOptions): Worker {
  return {
    async present(resource, task): Promise<ArtifactOutcome> {
      const { profile, projectId } = resource.spec as ArtifactSpec;
      const folder = home.folderOf(resource, resource.generation);
      await home.removeUpTo(resource, resource.generation - 1);
      await mkdir(folder, { recursive: true });
      const hubToken = await hubTokenOf(projectId);
      const tell = tellProgress(profile.files, task);
      const files: ArtifactOutcome['files'] = [];
      for (const file of profile.files) {
        const destination = inside(folder, file.path);
        const onProgress = tell.of(file);
        const { signal } = task;
        const fetched = await transfer.fetchArtifact({ file, destination, hubToken, onProgress, signal });
        files.push({ path: file.path, ...fetched });
      }
      return { files, sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
    },
    async absent(resource) {
      const { profile } = resource.spec as ArtifactSpec;
      await home.removeUpTo(resource, resource.generation);
      for (const file of profile.files) await transfer.discardPartial(file);
      await transfer.removeUnused();
    },
  };
}

/** Path of a file below the folder; names given by a repository are not trusted. */
function inside(folder: string, path: string): string {
  const file = join(folder, path);
  const way = relative(folder, file);
  if (way === '' || way.startsWith('..'))
    throw new TaskFailure('INVALID_ARTIFACT', 'A file of the profile has no safe name');
  return file;
}

/** Reports the progress of all files as one. */
function tellProgress(files: readonly ArtifactFile[], task: Task) {
  const doneOf = new Map<ArtifactFile, number>();
  const totalOf = new Map(files.map((file) => [file, file.sizeBytes]));
  return {
    of(file: ArtifactFile) {
      return (progress: { bytesDone: number; bytesTotal: number | null }) => {
        doneOf.set(file, progress.bytesDone);
        if (progress.bytesTotal !== null) totalOf.set(file, progress.bytesTotal);
        const bytesDone = [...doneOf.values()].reduce((sum, bytes) => sum + bytes, 0);
        const bytesTotal = totalSizeBytes([...totalOf.values()].map((sizeBytes) => ({ sizeBytes })));
        task.progress({ bytesDone, bytesTotal });
        task.stage(bytesTotal !== null && bytesDone >= bytesTotal ? 'verifying' : null);
      };
    },
  };
}
