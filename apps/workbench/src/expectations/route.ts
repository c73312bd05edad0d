import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { parseExpectationsSearch } from './expectations-search.ts';

export const expectationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'expectations',
  validateSearch: parseExpectationsSearch,
  component: lazyRouteComponent(() => import('./expectations-page.tsx'), 'ExpectationsPage'),
});
