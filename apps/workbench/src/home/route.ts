import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { HomePage } from './home-page.tsx';
import { readAheadOfHome } from './queries.ts';

export const homeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  staticData: { readAhead: readAheadOfHome },
  beforeLoad: ({ params }) => readAheadOfHome(params.projectId),
  // Part of the first script, since most people begin here.
  component: HomePage,
});
