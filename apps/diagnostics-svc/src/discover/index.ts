export { discoverRoutes } from './discover.routes.ts';
export { createDiscoverService } from './discover.service.ts';
export { createEvaluateInThread } from './evaluate-in-thread.ts';
