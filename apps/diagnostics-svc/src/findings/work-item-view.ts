/** Fields of a primary work item on which the states of its Finding depend. */
export interface WorkItemView {
  status: 'provisioning' | 'planned' | 'in_progress' | 'done';
}

/** Whether somebody works on it, or is about to. */
export function isActive({ status }: WorkItemView): boolean {
  return status !== 'done';
}
