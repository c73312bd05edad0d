export { createDiagnosisRoutes } from './create-diagnosis-routes.ts';
