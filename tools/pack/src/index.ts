export { packPackage } from './pack-package.ts';
export { readmeBlocks } from './readme-blocks.ts';
