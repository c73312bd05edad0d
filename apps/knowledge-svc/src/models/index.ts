export {
  createProjectModels,
  type ExtractionCapabilities,
  type ModelState,
  type ProjectModels,
} from './project-models.ts';
