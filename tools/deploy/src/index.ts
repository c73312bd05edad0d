export { generatedDeployFiles } from './generated-files.ts';
