import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { readAheadOfHome } from './queries.ts';

export const homeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  staticData: { readAhead: readAheadOfHome },
  beforeLoad: ({ params }) => readAheadOfHome(params.projectId),
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
});
