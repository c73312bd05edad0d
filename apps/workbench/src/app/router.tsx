import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { BASE } from '../api/client.ts';
import { meQuery, projectsQuery } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { basePath } from '../api/sign-in-address.ts';
import { parseConversationsSearch } from '../conversations/conversations-search.ts';
import { parseFindingsSearch } from '../findings/findings-search.ts';
import { preferences } from '../preferences/preferences.ts';
import { NoProject } from '../shell/no-project.tsx';
import { Shell } from '../shell/shell.tsx';
import { Problem, Skeleton } from '../ui/states.tsx';
import { Missing, Root } from './root.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';

const rootRoute = createRootRoute({ component: Root, notFoundComponent: Missing });

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async () => {
    const projects = await queryClient.ensureQueryData(projectsQuery);
    const project = projects.find(({ id }) => id === preferences().projectId) ?? projects[0];
    if (project !== undefined) throw redirect({ to: '/p/$projectId', params: { projectId: project.id } });
  },
  component: NoProject,
});

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$projectId',
  beforeLoad: async () => {
    await Promise.all([queryClient.ensureQueryData(meQuery), queryClient.ensureQueryData(projectsQuery)]);
  },
  component: Shell,
  notFoundComponent: Missing,
});

const homeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../home/home-page.tsx'), 'HomePage'),
});

const findingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'findings',
  validateSearch: parseFindingsSearch,
  component: lazyRouteComponent(() => import('../findings/findings-page.tsx'), 'FindingsPage'),
});

const findingRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'findings/$findingId',
  validateSearch: ({ conversation }: Record<string, unknown>): { conversation?: string } =>
    typeof conversation === 'string' && conversation !== '' ? { conversation } : {},
  component: lazyRouteComponent(() => import('../finding/finding-page.tsx'), 'FindingPage'),
});

const conversationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'conversations',
  validateSearch: parseConversationsSearch,
  component: lazyRouteComponent(() => import('../conversations/conversations-page.tsx'), 'ConversationsPage'),
});

const conversationRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'conversations/$conversationId',
  validateSearch: ({ step, tab }: Record<string, unknown>): { step?: number; tab?: 'steps' | 'scores' | 'raw' } => ({
    ...(/^\d{1,5}$/.test(String(step)) ? { step: Number(step) } : {}),
    ...(tab === 'steps' || tab === 'scores' || tab === 'raw' ? { tab } : {}),
  }),
  component: lazyRouteComponent(() => import('../conversation/conversation-page.tsx'), 'ConversationPage'),
});

const routeTree = rootRoute.addChildren([
  indexRoute,
  projectRoute.addChildren([homeRoute, findingsRoute, findingRoute, conversationsRoute, conversationRoute]),
]);

export const router = createRouter({
  routeTree,
  basepath: basePath(BASE),
  parseSearch,
  stringifySearch,
  scrollRestoration: false,
  defaultPendingMs: 0,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PendingPage,
  defaultErrorComponent: FailedPage,
});

function PendingPage(): ReactNode {
  return <Skeleton label="The page is being read" />;
}

function FailedPage({ error, reset }: ErrorComponentProps): ReactNode {
  return (
    <Problem
      error={error instanceof Error ? error : new Error(String(error))}
      onRetry={() => {
        reset();
        void router.invalidate();
      }}
    />
  );
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
