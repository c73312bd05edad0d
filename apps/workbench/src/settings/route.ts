import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';
import { parseSettingsSearch } from './settings-search.ts';

/** Address without a part, which leads to the first. */
export const settingsIndexRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'settings',
  beforeLoad: ({ params: { projectId } }) => {
    throw redirect({ to: '/p/$projectId/settings/$part', params: { projectId, part: 'general' }, replace: true });
  },
});

export const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'settings/$part',
  validateSearch: parseSettingsSearch,
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
});
