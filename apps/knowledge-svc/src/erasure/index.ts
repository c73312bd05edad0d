export { createErasure } from './erasure.ts';
export { erasureRoutes } from './erasure.routes.ts';
