import {
  RETENTION_MECHANISMS,
  type RetentionFigures,
  type RetentionMechanism,
  type RetentionState,
  type RetentionStates,
  type TelemetrySettings,
  type TelemetrySettingsChange,
} from '@clew/contracts';
import { AppError, type Clock } from '@clew/kernel';
import type { Database, ProjectSettings } from '@clew/persistence';
import type { PrivacyService } from '../privacy/index.ts';
import { DAY_MS, type Mechanism } from './mechanism.ts';
import { sweepId } from './sweep.model.ts';
import type { SweepStore } from './sweeps.store.ts';

export interface RetentionServiceDependencies {
  database: Pick<Database, 'withTransaction'>;
  privacy: Pick<PrivacyService, 'change'>;
  settings: ProjectSettings<TelemetrySettings>;
  sweeps: SweepStore;
  mechanisms: Record<RetentionMechanism, Mechanism>;
  clock: Clock;
}

export type RetentionService = ReturnType<typeof createRetentionService>;

/** Settings of telemetry, and the progress of each mechanism of retention. */
export function createRetentionService(dependencies: RetentionServiceDependencies) {
  const { database, settings, privacy, sweeps, mechanisms, clock } = dependencies;

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

    async change(projectId: string, body: TelemetrySettingsChange, requestId: string): Promise<TelemetrySettings> {
      const { masking, contentCapture, ...change } = body;
      const held = await settings.get(projectId);
      const { rawPayloadRetentionDays = held.rawPayloadRetentionDays } = change;
      const { telemetryRetentionDays = held.telemetryRetentionDays } = change;
      if (rawPayloadRetentionDays > telemetryRetentionDays) throw keptTooLong();
      const changed = await database.withTransaction(async (tx) => {
        if (masking !== undefined || contentCapture !== undefined) {
          await privacy.change(tx, projectId, { masking, contentCapture }, requestId);
        }
        return await settings.change(projectId, change as Partial<TelemetrySettings>, clock.now(), tx);
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
