import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';

export const rulesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'rules',
  component: lazyRouteComponent(() => import('./rules-page.tsx'), 'RulesPage'),
});

export const ruleRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'rules/$ruleId',
  component: lazyRouteComponent(() => import('./rule-page.tsx'), 'RulePage'),
});
