import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { CONVERSATION_TABS, type ConversationTab } from './tabs.ts';

/** Maximum length of a search text of conversations. */
const MAX_FIND = 256;

/** State of the page of a conversation. */
export interface ConversationPageSearch {
  readonly step?: number;
  readonly tab?: ConversationTab;
  /** Words by which the conversation was found. */
  readonly find?: string;
}

export const conversationRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'conversations/$conversationId',
  validateSearch: ({ step, tab, find }: Record<string, unknown>): ConversationPageSearch => ({
    ...(/^\d{1,5}$/.test(String(step)) ? { step: Number(step) } : {}),
    ...(CONVERSATION_TABS.includes(tab as ConversationTab) ? { tab: tab as ConversationTab } : {}),
    ...(typeof find === 'string' && find !== '' && find.length <= MAX_FIND ? { find } : {}),
  }),
  component: lazyRouteComponent(() => import('./conversation-page.tsx'), 'ConversationPage'),
});
