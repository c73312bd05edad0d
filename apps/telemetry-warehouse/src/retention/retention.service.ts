import {
  RETENTION_MECHANISMS,
  type Doer,
  type RetentionFigures,
  type RetentionMechanism,
  type RetentionState,
  type RetentionStates,
  type TelemetrySettings,
  type TelemetrySettingsChange,
} from '@clew/contracts';
import { AppError, type Clock } from '@clew/kernel';
import type { AuditTrail, Database, ProjectSettings } from '@clew/persistence';
import type { PrivacyService } from '../privacy/index.ts';
import { DAY_MS, type Mechanism } from './mechanism.ts';
import { sweepId } from './sweep.model.ts';
import type { SweepStore } from './sweeps.store.ts';

export interface RetentionServiceDependencies {
  database: Pick<Database, 'withTransaction'>;
  privacy: Pick<PrivacyService, 'change'>;
  settings: ProjectSettings<TelemetrySettings>;
  audit: AuditTrail;
  sweeps: SweepStore;
  mechanisms: Record<RetentionMechanism, Mechanism>;
  clock: Clock;
}

export type RetentionService = ReturnType<typeof createRetentionService>;

const SETTINGS_CHANGED = {
  action: 'telemetry-settings.changed',
  target: { kind: 'settings', id: 'telemetry' },
} as const;

/** Settings of telemetry, and the progress of each mechanism of retention. */
export function createRetentionService(deps: RetentionServiceDependencies) {
  const { database, settings, privacy, audit, sweeps, mechanisms, clock } = deps;

  async function stateOf(projectId: string, mechanism: RetentionMechanism): Promise<RetentionState> {
    const [found, held] = await Promise.all([sweeps.find(projectId), settings.get(projectId)]);
    const sweep = found.get(mechanism);
    const nowMs = clock.now();
    const { count, oldestAt } = await mechanisms[mechanism].waiting({ projectId, settings: held, nowMs });
    const days = mechanism === 'rawPayload' ? held.rawPayloadRetentionDays : held.telemetryRetentionDays;
    return {
      lastRunAt: sweep?.lastRunAt ?? null,
      removed: sweep?.removed ?? {},
      removedInTotal: sweep?.removedInTotal ?? {},
      isRunning: (sweep?.leaseUntil ?? 0) > nowMs,
      backlog: count,
      oldestAgeMs: oldestAt === null ? 0 : Math.max(0, nowMs - oldestAt - days * DAY_MS),
    };
  }

  return {
    settingsOf: (projectId: string) => settings.get(projectId),

    async change(projectId: string, body: TelemetrySettingsChange, doer: Doer): Promise<TelemetrySettings> {
      const { masking, contentCapture, ...change } = body;
      const changed = await database.withTransaction(async (tx) => {
        const held = await settings.get(projectId, tx);
        const { rawPayloadRetentionDays = held.rawPayloadRetentionDays } = change;
        const { telemetryRetentionDays = held.telemetryRetentionDays } = change;
        if (rawPayloadRetentionDays > telemetryRetentionDays) throw keptTooLong();
        if (masking !== undefined || contentCapture !== undefined) {
          await privacy.change(tx, projectId, { masking, contentCapture }, doer.requestId);
        }
        const after = await settings.change(projectId, change as Partial<TelemetrySettings>, clock.now(), tx);
        await audit.record(tx, doer, { projectId, ...SETTINGS_CHANGED }, { before: held, after });
        return after;
      });
      await sweeps.ensure([projectId], clock.now());
      const ids = Object.keys(mechanisms).map((mechanism) => sweepId(projectId, mechanism as RetentionMechanism));
      await sweeps.rows.makeDue({ _id: { $in: ids } }, clock.now());
      return changed;
    },

    async figures(): Promise<RetentionFigures> {
      const [telemetry, rawPayload, maintenance] = await Promise.all(
        RETENTION_MECHANISMS.map((mechanism) => sweeps.figures(mechanism, clock.now())),
      );
      return { telemetry, rawPayload, maintenance } as RetentionFigures;
    },

    async states(projectId: string): Promise<RetentionStates> {
      const [telemetry, rawPayload, maintenance] = await Promise.all([
        stateOf(projectId, 'telemetry'),
        stateOf(projectId, 'rawPayload'),
        stateOf(projectId, 'maintenance'),
      ]);
      return { telemetry, rawPayload, maintenance };
    },
  };
}

function keptTooLong(): AppError {
  const path = 'body.rawPayloadRetentionDays';
  const message = 'must not be longer than telemetryRetentionDays';
  return new AppError('VALIDATION_FAILED', `${path}: ${message}`, { details: [{ path, message }] });
}
