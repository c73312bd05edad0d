import { listenToChanges, STREAMED } from '@clew/contracts';
import type { DatabaseHost } from '@clew/host';
import { route, type Route } from '@clew/http';
import { comeBackLater } from '@clew/kernel';
import { subscribeBroadcasts } from '@clew/messaging';
import { observeGauge, type BackgroundTask } from '@clew/runtime';
import type { Authenticator } from '../auth/authenticator.ts';
import type { GatewayConfig } from '../config.ts';
import { createChangeListeners, type ChangeListeners } from './change-listeners.ts';
import type { ListenerAccessOptions } from './listener-access.ts';
import { changesOf, TOLD_EVENTS } from './changes-of.ts';

export interface ChangesDependencies
  extends
    Pick<DatabaseHost<GatewayConfig>, 'config' | 'broker' | 'clock' | 'logger' | 'metrics' | 'ending'>,
    Pick<ListenerAccessOptions, 'projectAccess'> {
  authenticator: Authenticator;
}

/** Event streams that tell pages what has changed in a project. */
export interface Changes {
  listeners: ChangeListeners;
  routes: Route[];
  start(): BackgroundTask[];
}

const TICK_MS = 1_000;
const MIN_RECHECK_MS = 5_000;
const RETRY_AFTER_MS = 1_000;

export function createChanges(deps: ChangesDependencies): Changes {
  const { config, broker, clock, logger, metrics, ending } = deps;
  const listeners = createChangeListeners({
    ...{ authenticator: deps.authenticator, projectAccess: deps.projectAccess, clock },
    maxListeners: config.MAX_CHANGE_LISTENERS,
    recheckMs: Math.max(MIN_RECHECK_MS, config.API_KEY_CACHE_MS),
  });
  deps.authenticator.watch({ forget: listeners.recheck, forgetAll: listeners.recheckAll });
  observeGauge(metrics, 'clew_gateway_change_listeners', (set) => set(listeners.counts().open));
  observeGauge(metrics, 'clew_gateway_change_listeners_behind', (set) => set(listeners.counts().behind));
  ending.addEventListener('abort', () => listeners.endAll(), { once: true });
  return {
    listeners,
    routes: [
      route(listenToChanges, async ({ params: { projectId } }, { request, response }) => {
        if (ending.aborted) throw comeBackLater('UPSTREAM_UNAVAILABLE', 'The gateway is stopping', RETRY_AFTER_MS);
        await listeners.listen(request, response, projectId);
        return STREAMED;
      }),
    ],
    start() {
      const timer = setInterval(() => listeners.tick(), TICK_MS);
      return [
        subscribeBroadcasts({
          ...{ broker, logger, name: 'changes (broadcast)', specs: TOLD_EVENTS },
          isWanted: (projectId) => listeners.isHeard(projectId),
          handle: (_spec, event) => listeners.add(event.projectId, changesOf(event), event.occurredAt),
          onSubscribed: () => listeners.renewAll(),
        }),
        { name: 'changes', stop: () => clearInterval(timer) },
      ];
    },
  };
}
