export { createPackageIndex } from './package-index.ts';
export { pipIndexUrl, registryVariables } from './pip-settings.ts';
export { createArtifactResolver } from './resolve-artifact.ts';
