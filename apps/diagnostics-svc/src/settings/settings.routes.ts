import { getDiagnosticSettings, updateDiagnosticSettings, type DiagnosticSettings } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { Clock } from '@clew/kernel';
import type { SettingsStore } from './settings.store.ts';

export interface SettingsRoutesDependencies {
  settings: SettingsStore;
  clock: Clock;
  /** Reconsiders the adjudications that wait for budget. */
  budgetChanged(projectId: string): Promise<void>;
}

export function settingsRoutes({ settings, clock, budgetChanged }: SettingsRoutesDependencies): Route[] {
  return [
    route(getDiagnosticSettings, async ({ params }) => answer(200, { settings: await settings.get(params.projectId) })),
    route(updateDiagnosticSettings, async ({ params, body }) => {
      const changed = await settings.change(params.projectId, body as Partial<DiagnosticSettings>, clock.now());
      if (body.dailyAdjudications !== undefined) await budgetChanged(params.projectId);
      return answer(200, { settings: changed });
    }),
  ];
}
