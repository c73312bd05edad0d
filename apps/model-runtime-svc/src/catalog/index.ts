export { catalogModelModel, hubFactsModel, hubStatusModel } from './catalog.model.ts';
export { catalogRoutes, modelRoutes } from './catalog.routes.ts';
export { createCatalogService, type InstalledModelIds } from './catalog.service.ts';
export { requireProfileAccess } from './hub/hub-access.ts';
export { createHubClient } from './hub/hub-client.ts';
export { importRoutes } from './imports/imports.routes.ts';
export { createImportsService } from './imports/imports.service.ts';
export { createModelStore, type ModelStore } from './models.store.ts';
export { createRefreshService } from './refresh.service.ts';
