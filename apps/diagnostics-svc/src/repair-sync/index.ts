export { createRepairSync, type RepairSync, type RepairSyncDependencies } from './create-repair-sync.ts';
export { followedModel, walkCollection, walkModel } from './walk.model.ts';
export { createWalkStore, type WalkStore } from './walks.store.ts';
