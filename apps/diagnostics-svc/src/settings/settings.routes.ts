import {
  getDiagnosticSettings,
  ruleModelsNamed,
  updateDiagnosticSettings,
  type DiagnosticSettings,
  type Doer,
} from '@clew/contracts';
import { answer, doerOf, route, type Route } from '@clew/http';
import type { Clock } from '@clew/kernel';
import type { AuditTrail, Database, Outbox } from '@clew/persistence';
import type { SettingsStore } from './settings.store.ts';

export interface SettingsRoutesDependencies {
  database: Database;
  outbox: Outbox;
  audit: AuditTrail;
  settings: SettingsStore;
  clock: Clock;
  /** Reconsiders the adjudications that wait for budget. */
  budgetChanged(projectId: string): Promise<void>;
  /** Reconsiders the reviews of a project. */
  reviewsChanged(projectId: string): Promise<void>;
}

/** Name under which the reviewer's model is announced, so that its provider is not removed while it is needed. */
const REVIEWER = 'conversation_review';

const SETTINGS_CHANGED = {
  action: 'diagnostics-settings.changed',
  target: { kind: 'settings', id: 'diagnostics' },
} as const;

export function settingsRoutes(dependencies: SettingsRoutesDependencies): Route[] {
  const { database, outbox, audit, settings, clock, budgetChanged, reviewsChanged } = dependencies;

  async function change(
    projectId: string,
    changed: Partial<DiagnosticSettings>,
    doer: Doer,
  ): Promise<DiagnosticSettings> {
    const { reviewModel } = changed;
    return await database.withTransaction(async (tx) => {
      const nowMs = clock.now();
      if (reviewModel !== undefined) {
        await outbox.append(tx, ruleModelsNamed, {
          key: `${projectId}:${REVIEWER}:${nowMs}`,
          ...{ projectId, requestId: doer.requestId, occurredAt: nowMs },
          data: { ruleId: REVIEWER, revision: nowMs, models: reviewModel === null ? [] : [reviewModel] },
        });
      }
      const before = await settings.get(projectId, tx);
      const after = await settings.change(projectId, changed, nowMs, tx);
      await audit.record(tx, doer, { projectId, ...SETTINGS_CHANGED }, { before, after });
      return after;
    });
  }

  return [
    route(getDiagnosticSettings, async ({ params }) => answer(200, { settings: await settings.get(params.projectId) })),
    route(updateDiagnosticSettings, async ({ params: { projectId }, body }, context) => {
      const changed = await change(projectId, body as Partial<DiagnosticSettings>, doerOf(context));
      if (body.dailyAdjudications !== undefined) await budgetChanged(projectId);
      const { reviewMode, reviewModel, dailyReviews } = body;
      if ([reviewMode, reviewModel, dailyReviews].some((each) => each !== undefined)) await reviewsChanged(projectId);
      return answer(200, { settings: changed });
    }),
  ];
}
