import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { parseKnowledgeSearch } from './knowledge-search.ts';

export const knowledgeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'knowledge',
  validateSearch: parseKnowledgeSearch,
  component: lazyRouteComponent(() => import('./knowledge-page.tsx'), 'KnowledgePage'),
});
