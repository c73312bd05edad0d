import type { Route } from '@clew/http';
import type { Clock, CursorCodec } from '@clew/kernel';
import type { Database, Outbox, Tombstones } from '@clew/persistence';
import type { BackgroundTask, Logger } from '@clew/runtime';
import type { DiagnosticsConfig } from './config.ts';
import type { OnIssueTouched } from './connectors/index.ts';
import type { ActivityStore } from './findings/activity/index.ts';
import type { ChangesService } from './findings/changes/index.ts';
import type { FindingStore } from './findings/findings.store.ts';
import { mountConnectors } from './mount-connectors.ts';
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
  /** Called for each issue that a webhook names, in place of its work items. */
  onIssueTouched?: OnIssueTouched | undefined;
}

/** Everything that needs issue trackers: connectors, their webhooks, and work items. */
export interface MountedWorkItems {
  /** Undefined if the work item service is not mounted; its routes then answer that. */
  workItems: WorkItems | undefined;
  routes: Route[];
  start(): BackgroundTask[];
}

/** Conversations without the problem that resolve a Finding after its repair. */
const REQUIRED_EXPOSURES = 20;

export function mountWorkItems(deps: WorkItemsMountDependencies): MountedWorkItems {
  const { config, database } = deps;
  const connecting = mountConnectors({
    ...deps,
    onIssueTouched: deps.onIssueTouched ?? (async (tx, issue) => await workItems?.onIssueTouched(tx, issue)),
  });
  const { connectors } = connecting;
  const workItems: WorkItems | undefined =
    connectors === undefined
      ? undefined
      : createWorkItems({
          ...{ ...deps, connectors, publicUrl: config.PUBLIC_URL },
          requiredExposuresOf: () => Promise.resolve(REQUIRED_EXPOSURES),
        });
  const { withTransaction } = database;
  const served = workItems && { items: workItems.items, viewOf: deps.changes.viewOf, withTransaction };
  return {
    workItems,
    routes: [...connecting.routes, ...workItemRoutes(served)],
    // The loop stops first: it makes the calls.
    start: () => [...(workItems === undefined ? [] : [workItems.runner.start()]), ...connecting.start()],
  };
}
