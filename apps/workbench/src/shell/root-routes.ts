import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { meQuery, projectsQuery } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { preferences } from '../preferences/preferences.ts';
import { NoProject } from './no-project.tsx';
import { Shell } from './shell.tsx';
import { Missing, Root } from './root.tsx';

/** Route above all pages. */
export const rootRoute = createRootRoute({ component: Root, notFoundComponent: Missing });

/** Address without a project, which leads to the one that was open last. */
export const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async () => {
    const projects = await queryClient.ensureQueryData(projectsQuery);
    // The newest come first; the first that was made is the one in which a deployment begins.
    const project = projects.find(({ id }) => id === preferences().projectId) ?? projects.at(-1);
    if (project !== undefined) throw redirect({ to: '/p/$projectId', params: { projectId: project.id } });
  },
  component: NoProject,
});

/** Parent of every page of a project: the frame with its rail. */
export const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$projectId',
  // Pages begin to read what they show meanwhile.
  loader: async () => {
    await Promise.all([queryClient.ensureQueryData(meQuery), queryClient.ensureQueryData(projectsQuery)]);
  },
  component: Shell,
  notFoundComponent: Missing,
});
