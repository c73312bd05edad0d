import type { EnvelopeOf, spansReceived } from '@clew/contracts';
import type { PrivateProjects } from '@clew/host';
import { readJson } from '@clew/kernel';
import { createProtector, type ProtectionQuestion } from '@clew/privacy';
import { createThreadPool } from '@clew/runtime';
import type { FinishedCall } from './finished-call.ts';

type SpansMessage = EnvelopeOf<typeof spansReceived>;

/** Takes out of recorded calls what their projects do not want to be stored. */
export interface Protection {
  /** Returns the call with ids that hold nothing to mask; rejects while the settings of its project are not known. */
  call(call: FinishedCall): Promise<FinishedCall>;
  /** Returns the message as it may be stored or published. */
  message(message: SpansMessage): Promise<SpansMessage>;
  close(): void;
}

/** Threads, which start with the first call of a project that masks. */
const MAX_THREADS = 2;

export function createProtection(projects: Pick<PrivateProjects, 'of'>): Protection {
  const threads = createThreadPool({
    module: { name: 'protection-thread', parentUrl: import.meta.url },
    maxThreads: MAX_THREADS,
    idleMs: 'unlimited',
  });
  return {
    async call(call) {
      const privacy = await projects.of(call.projectId);
      if (privacy === undefined) return call;
      const { conversationId } = call;
      return {
        ...call,
        conversationId: conversationId === undefined ? undefined : createProtector(privacy).id(conversationId),
        hashKey: privacy.salt,
      };
    },
    async message(message) {
      const privacy = await projects.of(message.projectId);
      if (privacy === undefined) return message;
      const question: ProtectionQuestion = { body: Buffer.from(JSON.stringify(message)), privacy };
      const bytes = await threads.ask<Uint8Array<ArrayBuffer>>(message.projectId, question);
      return readJson(Buffer.from(bytes).toString()) as SpansMessage;
    },
    close: () => threads.close(),
  };
}
