export { createStorageGate, type RequireRoom } from './storage-gate.ts';
export { storageRoutes } from './storage.routes.ts';
