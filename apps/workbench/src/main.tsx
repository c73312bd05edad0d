import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ClewError } from '@clew/sdk';
import { queryClient } from './api/query-client.ts';
import { reloadOnNewVersion } from './app/new-version.ts';
import { preloadPage, router } from './app/router.tsx';
import { listenToKeys } from './commands/listen.ts';
import { applyTheme, preferences } from './preferences/preferences.ts';
import './styles.css';

applyTheme();
reloadOnNewVersion();
// The code of the page comes beside the answers that the page waits for.
preloadPage();
listenToKeys(() => preferences().characterKeys, new AbortController().signal);

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no place for the Workbench');
/** Failed calls are told by the page; anything else that a page throws is a mistake of ours. */
function onCaughtError(error: unknown): void {
  if (!(error instanceof ClewError)) reportError(error);
}

createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
