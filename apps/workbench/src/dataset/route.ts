import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { parseDatasetSearch } from './dataset-search.ts';

export const datasetRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'datasets/$datasetId',
  validateSearch: parseDatasetSearch,
  component: lazyRouteComponent(() => import('./dataset-page.tsx'), 'DatasetPage'),
});
