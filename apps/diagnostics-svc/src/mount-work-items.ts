import type { Route } from '@clew/http';
import type { Clock, CursorCodec } from '@clew/kernel';
import type { AuditTrail, Database, Outbox, Tombstones } from '@clew/persistence';
import type { BackgroundTask, Logger } from '@clew/runtime';
import type { DiagnosticsConfig } from './config.ts';
import type { Connectors, OnIssueTouched } from './connectors/index.ts';
import type { ActivityStore } from './findings/activity/index.ts';
import type { ChangesService } from './findings/changes/index.ts';
import type { FindingStore } from './findings/findings.store.ts';
import { mountConnectors } from './mount-connectors.ts';
import { createRepairSync, createWalkStore, type RepairSync } from './repair-sync/index.ts';
import type { SettingsStore } from './settings/settings.store.ts';
import { createWorkItems, workItemRoutes, type WorkItems } from './work-items/index.ts';

export interface WorkItemsMountDependencies {
  config: DiagnosticsConfig;
  database: Database;
  outbox: Outbox;
  tombstones: Tombstones;
  audit: AuditTrail;
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
  /** Undefined, as `repairSync` is, if the work item service is not mounted; its routes then answer that. */
  workItems: WorkItems | undefined;
  repairSync: RepairSync | undefined;
  routes: Route[];
  start(): BackgroundTask[];
}

export function mountWorkItems(deps: WorkItemsMountDependencies): MountedWorkItems {
  const connecting = mountConnectors({
    ...deps,
    onIssueTouched: deps.onIssueTouched ?? (async (tx, issue) => await handing?.workItems.onIssueTouched(tx, issue)),
  });
  const { connectors } = connecting;
  const handing = connectors === undefined ? undefined : createHanding(deps, connectors);
  const { withTransaction } = deps.database;
  const served = handing && { items: handing.workItems.items, viewOf: deps.changes.viewOf, withTransaction };
  return {
    workItems: handing?.workItems,
    repairSync: handing?.repairSync,
    routes: [...connecting.routes, ...workItemRoutes(served)],
    // The loops stop first: they make the calls.
    start: () => [...(handing?.start() ?? []), ...connecting.start()],
  };
}

function createHanding(deps: WorkItemsMountDependencies, connectors: Connectors) {
  const { config, database, settings } = deps;
  const walks = createWalkStore(database);
  const workItems = createWorkItems({
    ...{ ...deps, connectors, publicUrl: config.PUBLIC_URL },
    requiredExposuresOf: async (_tx, projectId) => (await settings.get(projectId)).requiredExposures,
    follow: (tx, item, nowMs) => walks.follow(tx, item, nowMs),
  });
  const repairSync = createRepairSync({
    ...{ ...deps, workItems, walks, connectors },
    reopensOf: async (projectId) => (await settings.get(projectId)).reopenOnRegression,
    publicUrl: config.PUBLIC_URL,
    intervalMs: config.ISSUE_SYNC_INTERVAL_MS,
  });
  return { workItems, repairSync, start: () => [workItems.runner.start(), ...repairSync.start()] };
}
