import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ForbiddenError, UnauthenticatedError } from '@clew/sdk';
import { BASE } from './client.ts';
import { signInAddress } from './sign-in-address.ts';

const FRESH_MS = 15_000;

/** Leads to the sign-in page when the session has ended. */
function onError(error: Error): void {
  if (error instanceof UnauthenticatedError) location.assign(signInAddress(BASE, location));
}

/** Reads the rights of the person again when they are fewer than the page has taken them for. */
function onRefusal(error: Error): void {
  onError(error);
  if (error instanceof ForbiddenError) void queryClient.invalidateQueries({ queryKey: ['me'] });
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError: onRefusal }),
  defaultOptions: {
    // The SDK repeats what may be repeated.
    queries: { retry: false, staleTime: FRESH_MS, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});
