export { importRoutes } from './imports.routes.ts';
export { createImportsService } from './imports.service.ts';
