export { privacyRoutes } from './privacy.routes.ts';
export { createPrivacyService, type PrivacyService } from './privacy.service.ts';
export { createPrivacyStore, ensurePrivacyIndex, SETTINGS_COLLECTION } from './privacy.store.ts';
