import { randomInt } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSharedBudget, notFound } from '@clew/kernel';
import { createEventWriter } from './change-events.ts';
import type { Changed } from './changes-of.ts';
import { createEventStream } from './event-stream.ts';
import { createListenerAccess, type ListenerAccessOptions } from './listener-access.ts';
import { createListenerSet, type Listener, type ProjectListeners } from './listener-set.ts';

/** Open event streams of this replica. */
export interface ChangeListeners {
  /** Answers a request with events until either side ends it; throws if its caller may not listen. */
  listen(request: IncomingMessage, response: ServerResponse, projectId: string): Promise<void>;
  /** Whether anybody listens to a project. */
  isHeard(projectId: unknown): boolean;
  add(projectId: string, changes: readonly Changed[], at: number): void;
  /** Tells all listeners to read everything again, because changes may have been missed. */
  renewAll(): void;
  /** Looks anew at what those may read to whom the key, session or person belongs; ends the streams of who may not. */
  recheck(id: string): void;
  recheckAll(): void;
  /** Ends all streams of a deleted project. */
  endProject(projectId: string): void;
  endAll(): void;
  /** Sends what has changed since the last tick. */
  tick(): void;
  counts(): { open: number; behind: number };
}

export interface ChangeListenersOptions extends ListenerAccessOptions {
  /** Most streams at a time; a project has its share of them. */
  maxListeners: number;
}

const RETRY_AFTER_MS = 5_000;
/** Range from which a listener's pause before reconnecting is drawn, so that they do not all come back at once. */
const RECONNECT_MS = [1_000, 5_000] as const;

export function createChangeListeners(options: ChangeListenersOptions): ChangeListeners {
  const { clock } = options;
  const listeners = createListenerSet();
  const places = createSharedBudget({
    maxUnits: options.maxListeners,
    retryAfterMs: RETRY_AFTER_MS,
    shareMessage: 'The project has too many listeners',
    wholeMessage: 'The gateway has too many listeners',
  });

  /** Ends the stream of a listener that cannot be confirmed, for whatever reason: it may come back. */
  function recheck(listener: Listener): void {
    const renew = (hasChanged: boolean) => {
      if (hasChanged) listener.stream.renew();
    };
    listener.access.check().then(renew, () => listeners.end(listener));
  }

  function tickOf({ listeners: ofProject, pending }: ProjectListeners, nowMs: number): void {
    const changes = pending.take();
    const bytesFor = changes.length === 0 ? undefined : createEventWriter(changes);
    for (const listener of ofProject) {
      if (listener.state !== 'open') continue;
      if (listener.access.isDue(nowMs)) recheck(listener);
      const bytes = bytesFor?.(listener.access.types);
      if (bytes !== undefined && bytes.length > 0) listener.stream.write(bytes, nowMs);
      listener.stream.tick(nowMs);
    }
  }

  return {
    async listen(request, response, projectId) {
      if (response.destroyed) return;
      const place = places.open(projectId);
      place.hold(1);
      const [stream, access] = [createEventStream(response), createListenerAccess(options, { request, projectId })];
      const listener: Listener = { projectId, stream, access, state: 'new' };
      response.once('close', () => {
        place.release();
        listeners.end(listener);
      });
      listeners.add(listener);
      try {
        await access.check();
      } catch (error) {
        listeners.end(listener);
        throw error;
      }
      if (hasEnded(listener)) throw notFound();
      listener.state = 'open';
      stream.open(randomInt(...RECONNECT_MS), clock.now());
      if (request.method === 'HEAD') listeners.end(listener);
    },
    isHeard: (projectId) => typeof projectId === 'string' && listeners.ofProject(projectId) !== undefined,
    add(projectId, changes, at) {
      const pending = listeners.ofProject(projectId)?.pending;
      if (pending !== undefined) for (const { type, id } of changes) pending.add(type, id, at);
    },
    renewAll() {
      for (const { stream } of listeners.all()) stream.renew();
    },
    recheck(id) {
      for (const listener of listeners.all()) if (listener.access.dependsOn(id)) recheck(listener);
    },
    recheckAll() {
      for (const listener of listeners.all()) recheck(listener);
    },
    endProject(projectId) {
      for (const listener of listeners.ofProject(projectId)?.listeners ?? []) listeners.end(listener);
    },
    endAll() {
      for (const listener of listeners.all()) listeners.end(listener);
    },
    tick() {
      const nowMs = clock.now();
      for (const ofProject of listeners.projects()) tickOf(ofProject, nowMs);
    },
    counts() {
      const all = [...listeners.all()];
      return { open: all.length, behind: all.filter(({ stream }) => stream.isBehind()).length };
    },
  };
}

/** Looks at the state anew: it may have changed since the compiler saw it set. */
function hasEnded({ state }: Listener): boolean {
  return state === 'ended';
}
