import { z } from 'zod';
import {
  booleanVariable,
  brokerVariables,
  identitySignerVariables,
  identityVerifierVariables,
  integerVariable,
  mongoVariables,
  processVariables,
  secretVariables,
} from '@clew/runtime';

export const DiagnosticsConfig = z.object({
  ...processVariables,
  ...mongoVariables,
  ...brokerVariables,
  ...secretVariables,
  ...identitySignerVariables,
  ...identityVerifierVariables,
  MONGO_DATABASE: z.string().default('clew_diagnostics'),
  TELEMETRY_WAREHOUSE_URL: z.url({ protocol: /^https?$/ }),
  /** Without the rule service, its routes answer 503 DIAGNOSTIC_RULES_UNAVAILABLE. */
  MOUNT_RULES: booleanVariable(true),
});
export type DiagnosticsConfig = z.infer<typeof DiagnosticsConfig>;
