import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { parseExampleSearch } from './example-search.ts';

export const exampleRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'datasets/$datasetId/examples/$exampleId',
  validateSearch: parseExampleSearch,
  component: lazyRouteComponent(() => import('./example-page.tsx'), 'ExamplePage'),
});
