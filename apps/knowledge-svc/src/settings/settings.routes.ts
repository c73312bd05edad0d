import { getKnowledgeSettings, updateKnowledgeSettings } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { Clock } from '@clew/kernel';
import type { SettingsStore, StoredSettings } from './settings.store.ts';

export function settingsRoutes(settings: SettingsStore, clock: Clock): Route[] {
  return [
    route(getKnowledgeSettings, async ({ params }) => reply(await settings.get(params.projectId))),
    route(updateKnowledgeSettings, async ({ params, body }) => {
      const before = await settings.get(params.projectId);
      const nowMs = clock.now();
      const isSwitchedOn = body.extractionEnabled && !before.extractionEnabled;
      const change = isSwitchedOn ? { ...body, enabledSince: nowMs } : body;
      return reply(await settings.change(params.projectId, change, nowMs));
    }),
  ];
}

function reply({ extractionEnabled }: StoredSettings) {
  return answer(200, { settings: { extractionEnabled } });
}
