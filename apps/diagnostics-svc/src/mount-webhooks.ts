import type { CursorCodec } from '@clew/kernel';
import type { DatabaseHost } from '@clew/host';
import { createMailer } from '@clew/mail';
import { createOutbound, parseCidrList } from '@clew/outbound';
import type { AuditTrail } from '@clew/persistence';
import { createSecretBox } from '@clew/secrets';
import type { DiagnosticsConfig } from './config.ts';
import type { Erased } from './erasure/index.ts';
import { createTitlesOf } from './findings/titles-of.ts';
import { failureRateOf, type ReviewRecordStore } from './reviewer/index.ts';
import { createWebhooks, type Webhooks } from './webhooks/index.ts';

export interface WebhooksMountDependencies extends Pick<
  DatabaseHost<DiagnosticsConfig>,
  'config' | 'database' | 'broker' | 'clock' | 'logger'
> {
  cursors: CursorCodec;
  audit: AuditTrail;
  withoutErased: Erased;
  records: Pick<ReviewRecordStore, 'random'>;
  /** Pace of the loop that looks for due webhooks, which tests change. */
  webhookPollMs?: number | undefined;
}

/** Wires outbound webhooks with the configuration of the process. */
export function mountWebhooks(deps: WebhooksMountDependencies): Webhooks {
  const { config, database, records, logger } = deps;
  return createWebhooks({
    ...{ ...deps, titlesOf: createTitlesOf(database), pollMs: deps.webhookPollMs },
    secrets: createSecretBox({ authSecret: config.AUTH_SECRET, previousAuthSecret: config.AUTH_SECRET_PREVIOUS }),
    outbound: createOutbound({ allowCidrs: parseCidrList(config.OUTBOUND_ALLOW_CIDRS) }),
    publicUrl: config.PUBLIC_URL,
    mailer: createMailer({ config, publicUrl: config.PUBLIC_URL, logger }),
    async estimateRate(projectId, window) {
      const sums = await records.random(projectId, window);
      return { ...failureRateOf(sums), reviewed: sums.count };
    },
    pace: {
      ...{ pausesMs: config.WEBHOOK_PAUSES_MS, disableAfterMs: config.WEBHOOK_DISABLE_AFTER_MS },
      ...{ timeoutMs: config.WEBHOOK_TIMEOUT_MS, logDays: config.WEBHOOK_LOG_DAYS },
    },
  });
}
