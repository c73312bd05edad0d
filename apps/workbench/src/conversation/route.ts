import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { CONVERSATION_TABS, type ConversationTab } from './tabs.ts';

export const conversationRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'conversations/$conversationId',
  validateSearch: ({ step, tab }: Record<string, unknown>): { step?: number; tab?: ConversationTab } => ({
    ...(/^\d{1,5}$/.test(String(step)) ? { step: Number(step) } : {}),
    ...(CONVERSATION_TABS.includes(tab as ConversationTab) ? { tab: tab as ConversationTab } : {}),
  }),
  component: lazyRouteComponent(() => import('./conversation-page.tsx'), 'ConversationPage'),
});
