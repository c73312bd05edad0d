export { createWorkItems, type IssueReadingOf, type WorkItems } from './create-work-items.ts';
export { findingUrlOf } from './issue-of-finding.ts';
export { workItemCollection, workItemModel } from './work-item.model.ts';
export { workItemRoutes } from './work-items.routes.ts';
