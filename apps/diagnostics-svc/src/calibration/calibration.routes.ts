import { getScoreCalibration } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { ScoreCalibrations } from './calibrations.service.ts';

/** Line that changes nothing. */
const UNCHANGED = { intercept: 0, slope: 1 };

export function calibrationRoutes(calibrations: ScoreCalibrations): Route[] {
  return [
    route(getScoreCalibration, async ({ params: { projectId } }) => {
      const { _id, line, ...calibration } = await calibrations.of(projectId);
      return answer(200, { ...calibration, ...(line ?? UNCHANGED) });
    }),
  ];
}
