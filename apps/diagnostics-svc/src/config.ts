import { z } from 'zod';
import { addressVariables, databaseVariables } from '@clew/host';
import { outboundVariables } from '@clew/outbound';
import {
  booleanVariable,
  brokerVariables,
  credentialVariables,
  identitySignerVariables,
  identityVerifierVariables,
  integerVariable,
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
  /** Time between two looks at what has changed in a place of an issue tracker; webhooks are faster. */
  ISSUE_SYNC_INTERVAL_MS: integerVariable(100, 86_400_000, 300_000),
  /** Address of the Workbench for people, to which issues link. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:8080'),
});
export type DiagnosticsConfig = z.infer<typeof DiagnosticsConfig>;
