export { findingTaskCollection, findingTaskModel, type FindingTaskDocument } from './finding-task.model.ts';
export { createFindingTaskStore, type FindingTaskStore } from './finding-tasks.store.ts';
