import type { SignalFigures } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Database, ScheduledTasks } from '@clew/persistence';
import type { BackgroundTask, Logger } from '@clew/runtime';
import type { Connectors } from '../connectors/index.ts';
import type { ActivityStore } from '../findings/activity/index.ts';
import type { FindingStore } from '../findings/findings.store.ts';
import { createWorkItemStore, workItemRows, type WorkItems } from '../work-items/index.ts';
import { createNoteRunner } from './note-runner.ts';
import { createWalkRunner } from './walk-runner.ts';
import type { WalkStore } from './walks.store.ts';

export interface RepairSyncDependencies {
  database: Database;
  connectors: Connectors;
  workItems: Pick<WorkItems, 'applyReading' | 'calls' | 'paces'>;
  walks: WalkStore;
  findings: FindingStore;
  activities: ActivityStore;
  /** Whether the issues of the project are reopened when their problem occurs again. */
  reopensOf: (projectId: string) => Promise<boolean>;
  publicUrl: string;
  intervalMs: number;
  clock: Clock;
  logger: Logger;
}

export interface RepairSync {
  walks: ReturnType<typeof createWalkRunner>;
  notes: ReturnType<typeof createNoteRunner>;
  /** Figures of what waits: issues to be made or read, walks and notes. */
  figures(): Promise<SignalFigures>;
  figuresOf(projectId: string): Promise<SignalFigures>;
  start(): BackgroundTask[];
}

/** Creates what keeps work items and their issues in step. */
export function createRepairSync(deps: RepairSyncDependencies): RepairSync {
  const { database, connectors, workItems, clock } = deps;
  const items = createWorkItemStore(database);
  const { calls, paces, applyReading } = workItems;
  const walks = createWalkRunner({ ...deps, items, calls, applyReading });
  const notes = createNoteRunner({ ...deps, connectors, items, calls, paces });
  const all: readonly Pick<ScheduledTasks<unknown>, 'backlog' | 'backlogOf'>[] = [
    workItemRows(database).turns.rows,
    walks.rows,
    notes.rows,
  ];
  return {
    walks,
    notes,
    async figures() {
      return sumOf(await Promise.all(all.map((rows) => rows.backlog(clock.now()))));
    },
    async figuresOf(projectId) {
      const own = await Promise.all(all.map((rows) => rows.backlogOf(projectId, clock.now())));
      return sumOf(own.map((each) => ({ ...each, givenUp: 0 })));
    },
    start: () => [walks.start(), notes.start()],
  };
}

function sumOf(all: readonly { waiting: number; oldestAgeMs: number; givenUp: number }[]): SignalFigures {
  return {
    backlog: all.reduce((sum, { waiting }) => sum + waiting, 0),
    oldestAgeMs: Math.max(0, ...all.map(({ oldestAgeMs }) => oldestAgeMs)),
    givenUp: all.reduce((sum, { givenUp }) => sum + givenUp, 0),
  };
}
