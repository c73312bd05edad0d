import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { parseChatSearch } from './chat-search.ts';

export const chatRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'models/chat',
  validateSearch: parseChatSearch,
  component: lazyRouteComponent(() => import('./chat-page.tsx'), 'ChatPage'),
});
