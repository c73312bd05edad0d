import { getKnowledgeSettings, updateKnowledgeSettings } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { Clock } from '@clew/kernel';
import type { SettingsStore } from './settings.store.ts';

export function settingsRoutes(settings: SettingsStore, clock: Clock): Route[] {
  return [
    route(getKnowledgeSettings, async ({ params }) => answer(200, { settings: await settings.get(params.projectId) })),
    route(updateKnowledgeSettings, async ({ params, body }) =>
      answer(200, { settings: await settings.change(params.projectId, body, clock.now()) }),
    ),
  ];
}
