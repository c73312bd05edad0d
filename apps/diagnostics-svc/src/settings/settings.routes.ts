import {
  getDiagnosticSettings,
  ruleModelsNamed,
  updateDiagnosticSettings,
  type DiagnosticSettings,
} from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { Clock } from '@clew/kernel';
import type { Database, Outbox } from '@clew/persistence';
import type { SettingsStore } from './settings.store.ts';

export interface SettingsRoutesDependencies {
  database: Database;
  outbox: Outbox;
  settings: SettingsStore;
  clock: Clock;
  /** Reconsiders the adjudications that wait for budget. */
  budgetChanged(projectId: string): Promise<void>;
  /** Reconsiders the reviews of a project. */
  reviewsChanged(projectId: string): Promise<void>;
}

/** Name under which the reviewer's model is announced, so that its provider is not removed while it is needed. */
const REVIEWER = 'conversation_review';

export function settingsRoutes(dependencies: SettingsRoutesDependencies): Route[] {
  const { database, outbox, settings, clock, budgetChanged, reviewsChanged } = dependencies;

  async function change(
    projectId: string,
    changed: Partial<DiagnosticSettings>,
    requestId: string,
  ): Promise<DiagnosticSettings> {
    const { reviewModel } = changed;
    if (reviewModel === undefined) return await settings.change(projectId, changed, clock.now());
    return await database.withTransaction(async (tx) => {
      const nowMs = clock.now();
      await outbox.append(tx, ruleModelsNamed, {
        key: `${projectId}:${REVIEWER}:${nowMs}`,
        ...{ projectId, requestId, occurredAt: nowMs },
        data: { ruleId: REVIEWER, revision: nowMs, models: reviewModel === null ? [] : [reviewModel] },
      });
      return await settings.change(projectId, changed, nowMs, tx);
    });
  }

  return [
    route(getDiagnosticSettings, async ({ params }) => answer(200, { settings: await settings.get(params.projectId) })),
    route(updateDiagnosticSettings, async ({ params: { projectId }, body }, { requestId }) => {
      const changed = await change(projectId, body as Partial<DiagnosticSettings>, requestId);
      if (body.dailyAdjudications !== undefined) await budgetChanged(projectId);
      const { reviewMode, reviewModel, dailyReviews } = body;
      if ([reviewMode, reviewModel, dailyReviews].some((each) => each !== undefined)) await reviewsChanged(projectId);
      return answer(200, { settings: changed });
    }),
  ];
}
