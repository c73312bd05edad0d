import { markup, type Html } from '../pages/html.ts';
import { HOME } from '../pages/return-path.ts';
import type { SignInWays } from './ways.ts';

/**
 * Links to the sign-in providers. They are links and no forms: a form that leads to another origin, if only by a
 * redirect, would need a wider policy of the page.
 */
export function providerLinks(providers: SignInWays['providers'], doing: string, returnTo: string = HOME): Html {
  const query = returnTo === HOME ? '' : `?${new URLSearchParams({ returnTo }).toString()}`;
  const links = providers.map(
    ({ id, name }) => markup`<a class="button" href="/v1/auth/oidc/${id}/start${query}">${doing} with ${name}</a>`,
  );
  return markup`${links}`;
}
