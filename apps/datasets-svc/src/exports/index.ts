export { exportRoutes } from './exports.routes.ts';
export { createExportsService } from './exports.service.ts';
