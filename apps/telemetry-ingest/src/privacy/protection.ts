import type { PrivacySettings } from '@clew/contracts';
import type { PrivateProjects } from '@clew/host';
import { comeBackLater } from '@clew/kernel';
import type { ProtectionQuestion } from '@clew/privacy';
import { createThreadPool } from '@clew/runtime';

/** Takes out of messages what their projects do not want to be stored, before they reach a queue. */
export interface Protection {
  /** Returns the settings of a project; undefined if its messages stay as they are. Rejects while that is not known. */
  settingsOf(projectId: string): Promise<PrivacySettings | undefined>;
  /** Returns the message as it may be published. */
  protect(projectId: string, body: Buffer): Promise<Buffer>;
  close(): void;
}

/** Threads, which start with the first message of a project that masks. */
const MAX_THREADS = 2;
const RETRY_AFTER_MS = 2_000;

export function createProtection(projects: Pick<PrivateProjects, 'of'>): Protection {
  const threads = createThreadPool({
    module: { name: 'protection-thread', parentUrl: import.meta.url },
    maxThreads: MAX_THREADS,
    idleMs: 'unlimited',
  });
  return {
    settingsOf: (projectId) => projects.of(projectId),
    async protect(projectId, body) {
      const privacy = await projects.of(projectId);
      if (privacy === undefined) return body;
      const question: ProtectionQuestion = { body, privacy };
      try {
        return Buffer.from(await threads.ask<Uint8Array<ArrayBuffer>>(projectId, question));
      } catch (error) {
        // Nothing is published unmasked, whatever went wrong.
        throw comeBackLater(
          'OVERLOADED',
          'The telemetry cannot be masked now: send again later',
          RETRY_AFTER_MS,
          error,
        );
      }
    },
    close: () => threads.close(),
  };
}
