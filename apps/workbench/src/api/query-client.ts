import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { UnauthenticatedError } from '@clew/sdk';
import { BASE } from './client.ts';
import { signInAddress } from './sign-in-address.ts';

const FRESH_MS = 15_000;

/** Leads to the sign-in page when the session has ended. */
function onError(error: Error): void {
  if (error instanceof UnauthenticatedError) location.assign(signInAddress(BASE, location));
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // The SDK repeats what may be repeated.
    queries: { retry: false, staleTime: FRESH_MS, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});
