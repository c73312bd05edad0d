import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { parseConversationsPageSearch } from './conversations-search.ts';

export const conversationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'conversations',
  validateSearch: parseConversationsPageSearch,
  component: lazyRouteComponent(() => import('./conversations-page.tsx'), 'ConversationsPage'),
});
