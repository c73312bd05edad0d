import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { parseWorkItemsSearch } from './work-items-search.ts';

export const workItemsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'work-items',
  validateSearch: parseWorkItemsSearch,
  component: lazyRouteComponent(() => import('./work-items-page.tsx'), 'WorkItemsPage'),
});
