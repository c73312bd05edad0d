export { diagnosisRoutes } from './diagnoses.routes.ts';
export { createDiagnosesService } from './diagnoses.service.ts';
export { createDiagnosisStore } from './diagnoses.store.ts';
