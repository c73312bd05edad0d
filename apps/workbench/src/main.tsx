import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { reloadOnNewVersion } from './app/new-version.ts';
import { router } from './app/router.tsx';
import { listenToKeys } from './commands/listen.ts';
import { applyTheme, preferences } from './preferences/preferences.ts';
import './styles.css';

applyTheme();
reloadOnNewVersion();
listenToKeys(() => preferences().characterKeys, new AbortController().signal);

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no place for the Workbench');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
