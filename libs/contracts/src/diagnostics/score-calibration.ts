import { z } from 'zod';
import { EpochMs, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { READ_FINDINGS } from './findings.ts';

export const ScoreCalibration = z
  .object({
    source: z
      .enum(['reviews', 'scores'])
      .nullable()
      .meta({ description: 'Where outcomes are known from; null while too few are, and scores stay as they are' }),
    intercept: z.number().meta({ description: 'Added on the logit scale' }),
    slope: z.number().min(0).meta({ description: 'Factor of the logit of the score that the Rules give' }),
    judged: z.int().min(0).meta({ description: 'Conversations whose outcome is known, the latest' }),
    failed: z.int().min(0).meta({ description: 'Those of them that failed' }),
    brierBefore: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: 'Mean squared error before; lower is better' }),
    brierAfter: z.number().min(0).max(1).nullable().meta({ description: 'The same with the calibration' }),
    fittedAt: EpochMs,
  })
  .meta({ id: 'ScoreCalibration' });
export type ScoreCalibration = z.infer<typeof ScoreCalibration>;

export const getScoreCalibration = defineRoute({
  operationId: 'getScoreCalibration',
  sdk: 'diagnostics.scoreCalibration',
  service: 'diagnostics-svc',
  method: 'get',
  path: '/v1/projects/:projectId/diagnostics/score-calibration',
  tag: 'Findings',
  summary: "Read how the Rules' scores are brought in line with the project's own outcomes",
  description:
    'Logistic regression of known outcomes on the scores that the Rules give: those of conversations that were drawn at random and read by a model, else those with scores of people or evaluators. At least 30 are needed, 5 of each outcome; the latest 1,000 count.',
  access: READ_FINDINGS,
  params: ProjectParams,
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: ScoreCalibration },
});
