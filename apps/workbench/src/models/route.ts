import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { parseModelsSearch } from './models-search.ts';

export const modelsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'models',
  validateSearch: parseModelsSearch,
  component: lazyRouteComponent(() => import('./models-page.tsx'), 'ModelsPage'),
});

export const modelRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'models/$modelId',
  component: lazyRouteComponent(() => import('./model-page.tsx'), 'ModelPage'),
});
