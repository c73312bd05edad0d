import type { AuditAction, AuditActor, AuditTarget } from '@clew/contracts';

/** One administrative deed or sign-in event. Entries are append-only and written in the transaction of the deed. */
export interface AuditEntry {
  workspaceId: string;
  /** Project that the deed concerns; null for one that concerns the workspace, or several projects. */
  projectId: string | null;
  actor: AuditActor;
  action: AuditAction;
  target: AuditTarget;
  /** Network address that the request came from. */
  address: string | null;
  requestId: string;
  /** Changed fields as they were and as they are, without secrets. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  at: number;
}
