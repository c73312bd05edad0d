import { z } from 'zod';
import {
  brokerVariables,
  identitySignerVariables,
  identityVerifierVariables,
  mongoVariables,
  processVariables,
  secretVariables,
} from '@clew/runtime';

/** What both roles of the app read: the API and the runtime agent. */
export const ModelRuntimeConfig = z.object({
  ...processVariables,
  ...mongoVariables,
  ...brokerVariables,
  ...secretVariables,
  ...identitySignerVariables,
  ...identityVerifierVariables,
  MONGO_DATABASE: z.string().default('clew_models'),
});
export type ModelRuntimeConfig = z.infer<typeof ModelRuntimeConfig>;
