import { z } from 'zod';
import { addressVariables, databaseVariables } from '@clew/host';
import { mailVariables } from '@clew/mail';
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

const DAY_MS = 86_400_000;
/** 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, and 24 h twice: about three days. */
const DEFAULT_PAUSES_MS = '5000,60000,300000,1800000,7200000,18000000,36000000,86400000,86400000';

export const DiagnosticsConfig = z.object({
  ...processVariables,
  ...databaseVariables('diagnostics-svc'),
  ...brokerVariables,
  ...credentialVariables,
  ...identitySignerVariables,
  ...identityVerifierVariables,
  ...addressVariables('telemetry-warehouse', 'model-runtime-svc'),
  ...outboundVariables,
  ...mailVariables,
  /** Without the rule service, its routes answer 503 DIAGNOSTIC_RULES_UNAVAILABLE. */
  MOUNT_RULES: booleanVariable(true),
  /** Without the work item service, its routes and those of connectors answer 503 FINDING_WORK_ITEMS_UNAVAILABLE. */
  MOUNT_WORK_ITEMS: booleanVariable(true),
  /** Time between two looks at what has changed in a place of an issue tracker; webhooks are faster. */
  ISSUE_SYNC_INTERVAL_MS: integerVariable(100, 86_400_000, 300_000),
  /** Address of the Workbench for people, to which issues and messages for Slack link. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:8080'),
  /** Time for the receiver of a webhook to answer. */
  WEBHOOK_TIMEOUT_MS: integerVariable(100, 30_000, 15_000),
  /** Pauses between the tries of a delivery, with commas between them; after the last one it is given up. */
  WEBHOOK_PAUSES_MS: z
    .string()
    .regex(/^\d{1,9}(?:,\d{1,9}){0,29}$/, 'must be 1 to 30 numbers of milliseconds with commas between them')
    .default(DEFAULT_PAUSES_MS)
    .transform((text) => text.split(',').map(Number)),
  /** Time without a delivery that succeeded after which a webhook that fails is disabled. */
  WEBHOOK_DISABLE_AFTER_MS: integerVariable(1_000, 90 * DAY_MS, 5 * DAY_MS),
  /** Days for which the log of deliveries is kept. */
  WEBHOOK_LOG_DAYS: integerVariable(1, 365, 30),
});
export type DiagnosticsConfig = z.infer<typeof DiagnosticsConfig>;
