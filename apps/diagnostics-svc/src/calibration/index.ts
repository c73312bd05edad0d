export { calibrationModel } from './calibration.model.ts';
export { calibrationRoutes } from './calibration.routes.ts';
export { createCalibrationStore } from './calibrations.store.ts';
export { createScoreCalibrations, type ScoreCalibrations } from './calibrations.service.ts';
