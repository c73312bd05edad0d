export { createEraseFindings, type EraseFindings } from './erase-findings.ts';
export { erasureRoutes } from './erasure.routes.ts';
export { createErased, type Erased } from './erased.ts';
