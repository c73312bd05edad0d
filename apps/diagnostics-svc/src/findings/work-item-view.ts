/** What the states of a Finding need to know of its primary work item. */
export interface WorkItemView {
  status: 'provisioning' | 'planned' | 'in_progress' | 'done';
}

/** Somebody works on it, or is about to. */
export function isActive({ status }: WorkItemView): boolean {
  return status !== 'done';
}
