import type { Route } from '@clew/http';
import type { Clock, CursorCodec } from '@clew/kernel';
import type { Database, Outbox, Tombstones } from '@clew/persistence';
import type { BackgroundTask, Logger } from '@clew/runtime';
import type { DiagnosticsConfig } from './config.ts';
import type { OnIssueTouched } from './connectors/index.ts';
import type { ActivityStore } from './findings/activity/index.ts';
import type { ChangesService } from './findings/changes/index.ts';
import type { FindingStore } from './findings/findings.store.ts';
import { mountConnectors, unmountedConnectorRoutes } from './mount-connectors.ts';
import { createRepairSync, createWalkStore, type RepairSync } from './repair-sync/index.ts';
import type { SettingsStore } from './settings/settings.store.ts';
import { createWorkItems, workItemRoutes, type WorkItems } from './work-items/index.ts';

export interface WorkItemsMountDependencies {
  config: DiagnosticsConfig;
  database: Database;
  outbox: Outbox;
  tombstones: Tombstones;
  cursors: CursorCodec;
  clock: Clock;
  logger: Logger;
  findings: FindingStore;
  activities: ActivityStore;
  changes: Pick<ChangesService, 'viewOf'>;
  settings: SettingsStore;
  /** Called for each issue that a webhook names, in place of its work items. */
  onIssueTouched?: OnIssueTouched | undefined;
}

/** Everything that needs issue trackers: connectors, their webhooks, and work items. */
export interface MountedWorkItems {
  workItems: WorkItems;
  repairSync: RepairSync;
  routes: Route[];
  start(): BackgroundTask[];
}

export function mountWorkItems(deps: WorkItemsMountDependencies): MountedWorkItems {
  const { config, database, settings } = deps;
  const walks = createWalkStore(database);
  const connecting = mountConnectors({
    ...deps,
    onIssueTouched: deps.onIssueTouched ?? ((tx, issue) => workItems.onIssueTouched(tx, issue)),
  });
  const workItems: WorkItems = createWorkItems({
    ...deps,
    connectors: connecting.connectors,
    publicUrl: config.PUBLIC_URL,
    requiredExposuresOf: async (_tx, projectId) => (await settings.get(projectId)).requiredExposures,
    follow: (tx, item, nowMs) => walks.follow(tx, item, nowMs),
  });
  const repairSync = createRepairSync({
    ...{ ...deps, workItems, walks, connectors: connecting.connectors },
    reopensOf: async (projectId) => (await settings.get(projectId)).reopenOnRegression,
    publicUrl: config.PUBLIC_URL,
    intervalMs: config.ISSUE_SYNC_INTERVAL_MS,
  });
  const { withTransaction } = database;
  return {
    workItems,
    repairSync,
    routes: [
      ...connecting.routes,
      ...workItemRoutes({ items: workItems.items, viewOf: deps.changes.viewOf, withTransaction }),
    ],
    // The loops stop first: they make the calls.
    start: () => [workItems.runner.start(), ...repairSync.start(), ...connecting.start()],
  };
}

/** Routes of an unmounted work item service, which answer that it is not there. */
export function unmountedWorkItemRoutes(): Route[] {
  return [...unmountedConnectorRoutes(), ...workItemRoutes(undefined)];
}
