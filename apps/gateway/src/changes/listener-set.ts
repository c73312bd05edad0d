import type { EventStream } from './event-stream.ts';
import type { ListenerAccess } from './listener-access.ts';
import { createPendingChanges, type PendingChanges } from './pending-changes.ts';

export interface Listener {
  readonly projectId: string;
  readonly stream: EventStream;
  readonly access: ListenerAccess;
  /** `new` until its access is confirmed for the first time. */
  state: 'new' | 'open' | 'ended';
}

/** Listeners of a project, with what they have not heard yet. */
export interface ProjectListeners {
  readonly listeners: ReadonlySet<Listener>;
  readonly pending: PendingChanges;
}

/** Listeners by project; of a project that nobody listens to, nothing is kept. */
export interface ListenerSet {
  add(listener: Listener): void;
  /** Takes a listener out, and ends its stream if it is open; safe to repeat. */
  end(listener: Listener): void;
  ofProject(projectId: string): ProjectListeners | undefined;
  projects(): Iterable<ProjectListeners>;
  all(): Iterable<Listener>;
}

/** Changed things of one type in a second; beyond, listeners are told to read all of that type. */
const MAX_IDS_OF_TYPE = 100;

export function createListenerSet(): ListenerSet {
  const projects = new Map<string, { listeners: Set<Listener>; pending: PendingChanges }>();
  return {
    add(listener) {
      const known = projects.get(listener.projectId);
      if (known !== undefined) known.listeners.add(listener);
      else {
        const pending = createPendingChanges(MAX_IDS_OF_TYPE);
        projects.set(listener.projectId, { listeners: new Set([listener]), pending });
      }
    },
    end(listener) {
      const wasOpen = listener.state === 'open';
      listener.state = 'ended';
      const ofProject = projects.get(listener.projectId);
      if (ofProject?.listeners.delete(listener) === true && ofProject.listeners.size === 0) {
        projects.delete(listener.projectId);
      }
      if (wasOpen) listener.stream.close();
    },
    ofProject: (projectId) => projects.get(projectId),
    projects: () => projects.values(),
    *all() {
      for (const { listeners } of projects.values()) yield* listeners;
    },
  };
}
