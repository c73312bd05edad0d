export { createClustersService } from './clusters.service.ts';
export { createMergeEqual, type MergeEqual } from './merge-equal.ts';
export { clusterRoutes } from './clusters.routes.ts';
export { createFindingTasks, type FindingTasks } from './run-finding-tasks.ts';
