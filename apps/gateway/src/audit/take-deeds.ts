import type { deedRecorded, EnvelopeOf } from '@clew/contracts';
import { createInbox, type Database } from '@clew/persistence';
import type { AuditLog, RecordedDeed } from './audit.ts';

type DeedMessage = EnvelopeOf<typeof deedRecorded>;

export interface TakeDeedsDependencies {
  database: Database;
  audit: Pick<AuditLog, 'appendRecorded'>;
  /** Workspace of a project, also of one that was deleted; undefined if there never was one. */
  workspaceOf: (projectId: string) => Promise<string | undefined>;
}

/** Writes the deeds of other services to the audit, each once, however often its message comes. */
export function createTakeDeeds({ database, audit, workspaceOf }: TakeDeedsDependencies) {
  const inbox = createInbox(database, 'recorded-deeds');
  return async (messages: readonly DeedMessage[]): Promise<void> => {
    const workspaces = new Map<string, string>();
    for (const projectId of new Set(messages.map((message) => message.projectId))) {
      const workspaceId = await workspaceOf(projectId);
      if (workspaceId === undefined) throw new Error(`No workspace has the project ${projectId}`);
      workspaces.set(projectId, workspaceId);
    }
    await database.withTransaction(async (tx) => {
      const fresh = await inbox.accept(
        tx,
        messages.map(({ id }) => id),
      );
      const deeds = messages.filter(({ id }) => fresh.delete(id));
      await audit.appendRecorded(
        tx,
        deeds.map((message) => deedOf(message, workspaces.get(message.projectId) ?? '')),
      );
    });
  };
}

function deedOf({ projectId, requestId, occurredAt, data }: DeedMessage, workspaceId: string): RecordedDeed {
  return { ...data, workspaceId, projectId, requestId: requestId ?? '', at: occurredAt };
}
