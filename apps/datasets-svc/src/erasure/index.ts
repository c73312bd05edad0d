export { createEraseExamples, type EraseExamples } from './erase-examples.ts';
export { erasureRoutes } from './erasure.routes.ts';
