import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { parseDatasetsSearch } from './datasets-search.ts';

export const datasetsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'datasets',
  validateSearch: parseDatasetsSearch,
  component: lazyRouteComponent(() => import('./datasets-page.tsx'), 'DatasetsPage'),
});
