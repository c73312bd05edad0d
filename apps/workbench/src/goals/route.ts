import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../shell/root-routes.ts';

export const goalsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'knowledge/goals',
  component: lazyRouteComponent(() => import('./goals-page.tsx'), 'GoalsPage'),
});

export const goalRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'knowledge/goals/$goalId',
  component: lazyRouteComponent(() => import('./goal-page.tsx'), 'GoalPage'),
});
