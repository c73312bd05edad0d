import { apiKeyChanged, projectDeleted, sessionChanged, userChanged } from '@clew/contracts';
import { subscribeBroadcast, type Broadcast, type Broker } from '@clew/messaging';
import type { Logger } from '@clew/runtime';

export interface HearChangesOptions {
  broker: Broker;
  logger: Logger;
  /** Drops what was read of a changed key, person or session. */
  forget(id: string): void;
  /** Drops everything, because changes may have been missed. */
  forgetAll(): void;
  /** Drops a deleted project. */
  forgetProject(projectId: string): void;
}

/** Hears of changes that other replicas make, and forgets what this one had read of them. */
export function hearChanges({ broker, logger, forget, forgetAll, forgetProject }: HearChangesOptions): Broadcast[] {
  const common = { broker, logger, onSubscribed: forgetAll };
  return [
    subscribeBroadcast({ ...common, spec: apiKeyChanged, handle: ({ data }) => forget(data.keyId) }),
    subscribeBroadcast({ ...common, spec: userChanged, handle: ({ data }) => forget(data.userId) }),
    subscribeBroadcast({ ...common, spec: sessionChanged, handle: ({ data }) => forget(data.sessionId) }),
    subscribeBroadcast({ ...common, spec: projectDeleted, handle: ({ data }) => forgetProject(data.projectId) }),
  ];
}
