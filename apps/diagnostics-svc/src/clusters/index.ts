export { createClustersService } from './clusters.service.ts';
export { clusterRoutes } from './clusters.routes.ts';
export { createFindingTasks, type FindingTasks } from './run-finding-tasks.ts';
