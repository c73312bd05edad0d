import { DEFAULT_TELEMETRY_SETTINGS, type TelemetrySettings } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import { createProjectSettings, type AuditTrail, type Database } from '@clew/persistence';
import type { Compaction } from '../fragments/index.ts';
import type { HourStore } from '../hours/index.ts';
import { SETTINGS_COLLECTION, type PrivacyService } from '../privacy/index.ts';
import { createSnapshotWords } from '../snapshots/index.ts';
import { createExpireFragments } from './expire-fragments.ts';
import { createExpireWords } from './expire-words.ts';
import { createMaintenance } from './maintenance.ts';
import { createRawPayloads } from './raw-payloads.ts';
import { createRemoveConversations } from './remove-conversations.ts';
import { createRetentionService } from './retention.service.ts';
import { createSweepStore } from './sweeps.store.ts';
import { createTelemetryRows } from './telemetry-rows.ts';

export interface RetentionDependencies {
  database: Database;
  compaction: Compaction;
  privacy: Pick<PrivacyService, 'change'>;
  audit: AuditTrail;
  hours: Pick<HourStore, 'discount' | 'fold'>;
  clock: Clock;
}

/** Retention: three mechanisms that remove expired data, their runs, and the settings of projects. */
export function createRetention({ database, compaction, privacy, hours, audit, clock }: RetentionDependencies) {
  const expireWords = createExpireWords(database, createSnapshotWords(database));
  const expireFragments = createExpireFragments(database, expireWords);
  const removeConversations = createRemoveConversations(database, hours);
  const settings = createProjectSettings<TelemetrySettings>(database, {
    collection: SETTINGS_COLLECTION,
    defaults: DEFAULT_TELEMETRY_SETTINGS,
  });
  const sweeps = createSweepStore(database);
  const mechanisms = {
    telemetry: createTelemetryRows({ database, expireFragments, removeConversations }),
    rawPayload: createRawPayloads({ database, expireWords, expireFragments }),
    maintenance: createMaintenance(database, { compaction, hours }),
  };
  const service = createRetentionService({ database, settings, privacy, audit, sweeps, mechanisms, clock });
  return { settings, sweeps, mechanisms, service, expireWords };
}
