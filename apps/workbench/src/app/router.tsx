import { createRouter, type ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { BASE } from '../api/client.ts';
import { meQuery, projectsQuery } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { basePath } from '../api/sign-in-address.ts';
import { chatRoute } from '../chat/route.ts';
import { conversationRoute } from '../conversation/route.ts';
import { conversationsRoute } from '../conversations/route.ts';
import { datasetRoute } from '../dataset/route.ts';
import { datasetsRoute } from '../datasets/route.ts';
import { exampleRoute } from '../example/route.ts';
import { expectationsRoute } from '../expectations/route.ts';
import { findingRoute } from '../finding/route.ts';
import { findingsRoute } from '../findings/route.ts';
import { goalRoute, goalsRoute } from '../goals/route.ts';
import { homeRoute } from '../home/route.ts';
import { knowledgeRoute } from '../knowledge/route.ts';
import { modelRoute, modelsRoute } from '../models/route.ts';
import { ruleRoute, rulesRoute } from '../rules/route.ts';
import { settingsIndexRoute, settingsRoute } from '../settings/route.ts';
import { indexRoute, projectRoute, rootRoute } from '../shell/root-routes.ts';
import { traceRoute } from '../trace/route.ts';
import { PageHead } from '../ui/page-head.tsx';
import { Problem, Skeleton } from '../ui/states.tsx';
import { workItemsRoute } from '../work-items/route.ts';
import { parseSearch, stringifySearch } from '../views/search-params.ts';

const routeTree = rootRoute.addChildren([
  indexRoute,
  projectRoute.addChildren([
    ...[homeRoute, findingsRoute, findingRoute],
    ...[conversationsRoute, conversationRoute, traceRoute],
    ...[knowledgeRoute, goalsRoute, goalRoute],
    ...[datasetsRoute, datasetRoute, exampleRoute],
    ...[modelsRoute, modelRoute, chatRoute],
    ...[rulesRoute, ruleRoute, expectationsRoute, workItemsRoute],
    ...[settingsIndexRoute, settingsRoute],
  ]),
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

/** Begins to load all that the page needs which the address names: its code, and what it reads. */
export function preloadPage(): void {
  void queryClient.prefetchQuery(meQuery);
  void queryClient.prefetchQuery(projectsQuery);
  for (const { routeId, params } of router.matchRoutes(router.latestLocation)) {
    const { component, staticData } = router.routesById[routeId as keyof typeof router.routesById].options;
    void component?.preload?.();
    if ('projectId' in params) staticData?.readAhead?.(params.projectId);
  }
}

function PendingPage(): ReactNode {
  return <Skeleton label="The page is being read" />;
}

function FailedPage({ error, reset }: ErrorComponentProps): ReactNode {
  return (
    <>
      <PageHead title="Clew" />
      <Problem
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </>
  );
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** Begins to read what the page shows of a project, while its code is still on the way. */
    readAhead?: (projectId: string) => void;
  }
}
