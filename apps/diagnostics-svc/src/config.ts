import { z } from 'zod';
import { addressVariables, databaseVariables } from '@clew/host';
import { outboundVariables } from '@clew/outbound';
import {
  booleanVariable,
  brokerVariables,
  credentialVariables,
  identitySignerVariables,
  identityVerifierVariables,
  processVariables,
} from '@clew/runtime';

export const DiagnosticsConfig = z.object({
  ...processVariables,
  ...databaseVariables('diagnostics-svc'),
  ...brokerVariables,
  ...credentialVariables,
  ...identitySignerVariables,
  ...identityVerifierVariables,
  ...addressVariables('telemetry-warehouse', 'model-runtime-svc'),
  ...outboundVariables,
  /** Without the rule service, its routes answer 503 DIAGNOSTIC_RULES_UNAVAILABLE. */
  MOUNT_RULES: booleanVariable(true),
  /** Without the work item service, its routes and those of connectors answer 503 FINDING_WORK_ITEMS_UNAVAILABLE. */
  MOUNT_WORK_ITEMS: booleanVariable(true),
});
export type DiagnosticsConfig = z.infer<typeof DiagnosticsConfig>;
