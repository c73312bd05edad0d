export {
  addContent,
  contentIdOf,
  emptyContent,
  fromBytes,
  subtractContent,
  toBytes,
  type ContentState,
} from './content-state.ts';
export { createIncludeExamples } from './include-examples.ts';
export { createVersionDiffStore } from './version-diff.store.ts';
export { versionModel } from './version.model.ts';
export { versionRoutes } from './versions.routes.ts';
export { createVersionsService } from './versions.service.ts';
export { createVersionStore, type VersionStore } from './versions.store.ts';
