import { getKnowledgeSettings, updateKnowledgeSettings } from '@clew/contracts';
import { answer, doerOf, route, type Route } from '@clew/http';
import type { Clock } from '@clew/kernel';
import type { AuditTrail, Database } from '@clew/persistence';
import type { SettingsStore, StoredSettings } from './settings.store.ts';

export interface SettingsRoutesDependencies {
  database: Pick<Database, 'withTransaction'>;
  settings: SettingsStore;
  audit: AuditTrail;
  clock: Clock;
}

const SETTINGS_CHANGED = {
  action: 'knowledge-settings.changed',
  target: { kind: 'settings', id: 'knowledge' },
} as const;

export function settingsRoutes({ database, settings, audit, clock }: SettingsRoutesDependencies): Route[] {
  return [
    route(getKnowledgeSettings, async ({ params }) => reply(await settings.get(params.projectId))),
    route(updateKnowledgeSettings, async ({ params: { projectId }, body }, context) => {
      const changed = await database.withTransaction(async (tx) => {
        const before = await settings.get(projectId, tx);
        const nowMs = clock.now();
        const isSwitchedOn = body.extractionEnabled && !before.extractionEnabled;
        const change = isSwitchedOn ? { ...body, enabledSince: nowMs } : body;
        const after = await settings.change(projectId, change, nowMs, tx);
        const views = { before: viewOf(before), after: viewOf(after) };
        await audit.record(tx, doerOf(context), { projectId, ...SETTINGS_CHANGED }, views);
        return after;
      });
      return reply(changed);
    }),
  ];
}

function reply(settings: StoredSettings) {
  return answer(200, { settings: viewOf(settings) });
}

function viewOf({ extractionEnabled }: StoredSettings) {
  return { extractionEnabled };
}
