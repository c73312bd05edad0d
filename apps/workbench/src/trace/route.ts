import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { parseTraceSearch } from './trace-search.ts';

export const traceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'traces/$traceId',
  validateSearch: parseTraceSearch,
  component: lazyRouteComponent(() => import('./trace-page.tsx'), 'TracePage'),
});
