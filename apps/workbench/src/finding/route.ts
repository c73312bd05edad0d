import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';

export const findingRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'findings/$findingId',
  validateSearch: ({ conversation }: Record<string, unknown>): { conversation?: string } =>
    typeof conversation === 'string' && conversation !== '' ? { conversation } : {},
  component: lazyRouteComponent(() => import('./finding-page.tsx'), 'FindingPage'),
});
