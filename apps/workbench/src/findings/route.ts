import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { parseFindingsPageSearch } from './findings-search.ts';

export const findingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'findings',
  validateSearch: parseFindingsPageSearch,
  component: lazyRouteComponent(() => import('./findings-page.tsx'), 'FindingsPage'),
});
