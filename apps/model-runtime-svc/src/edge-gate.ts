import { route, type Route } from '@clew/http';
import { AppError } from '@clew/kernel';
import type { ServiceInfo } from '@clew/runtime';

/**
 * Routes of the Model Runtime in this deployment. An edge deployment runs no models itself: there, each route answers
 * 503 before anything of the request but its caller is looked at.
 */
export function modelRuntimeRoutes(
  deploymentTarget: ServiceInfo['deploymentTarget'],
  routes: readonly Route[],
): readonly Route[] {
  return deploymentTarget === 'server' ? routes : routes.map(({ spec }) => unavailableRoute(spec));
}

function unavailableRoute({ params: _params, query: _query, body: _body, ...spec }: Route['spec']): Route {
  return route(spec, async () => {
    throw new AppError('MODEL_RUNTIME_UNAVAILABLE', 'This deployment runs no models by itself');
  });
}
