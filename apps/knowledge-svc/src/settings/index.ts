export { settingsRoutes } from './settings.routes.ts';
export { createSettingsStore, type SettingsStore } from './settings.store.ts';
