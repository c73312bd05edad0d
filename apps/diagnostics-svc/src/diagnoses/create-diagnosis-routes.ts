import type { Route } from '@clew/http';
import type { Clock } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { calibrationRoutes, createCalibrationStore, createScoreCalibrations } from '../calibration/index.ts';
import type { FindingStore } from '../findings/findings.store.ts';
import type { Reviewer, ReviewRecordStore } from '../reviewer/index.ts';
import { createReadDiagnosed } from './diagnosed-conversations.ts';
import { diagnosisRoutes } from './diagnoses.routes.ts';
import { createDiagnosesService } from './diagnoses.service.ts';
import { createDiagnosisStore } from './diagnoses.store.ts';

export interface DiagnosisDependencies {
  database: Database;
  clock: Clock;
  findings: Pick<FindingStore, 'rootsOf'>;
  reviews: Pick<ReviewRecordStore, 'of' | 'ofMany'>;
  reviewer: Pick<Reviewer, 'waitingOf'>;
}

/** Creates the routes of conversations' diagnoses, and of the calibration of their scores. */
export function createDiagnosisRoutes({
  database,
  clock,
  findings,
  reviews,
  reviewer,
}: DiagnosisDependencies): Route[] {
  const calibrations = createScoreCalibrations({ store: createCalibrationStore(database), clock });
  const service = createDiagnosesService({
    diagnoses: createDiagnosisStore(database),
    findings,
    reviews,
    reviewer,
    calibrations,
  });
  return [
    ...diagnosisRoutes(service, createReadDiagnosed({ database, findings, reviews, calibrations })),
    ...calibrationRoutes(calibrations),
  ];
}
