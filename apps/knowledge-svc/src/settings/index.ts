export { settingsRoutes } from './settings.routes.ts';
export { createSettingsStore } from './settings.store.ts';
