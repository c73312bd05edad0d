import * as oidc from 'openid-client';
import { AppError, describeError, type Clock } from '@clew/kernel';
import type { Outbound } from '@clew/outbound';
import type { OidcProvider } from './provider-config.ts';
import { createProviderFetch } from './provider-fetch.ts';
import type { SignInFlow } from './sign-in-flow.ts';

/** Claims of a person, as the provider gave them: hostile until parsed. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** Client of one provider. All that it throws has a meaning for the person at the browser. */
export interface ProviderClient {
  /** Builds the address of the provider's page for a flow. */
  authorizationUrl(flow: SignInFlow): Promise<URL>;
  /** Redeems the code in an answer, given by its query; resolves with the verified claims. */
  redeem(flow: SignInFlow, query: string): Promise<{ issuer: string; claims: Claims }>;
}

export interface ProviderClientOptions {
  provider: OidcProvider;
  redirectUri: string;
  outbound: Pick<Outbound, 'fetch'>;
  timeoutMs: number;
  clock: Clock;
}

/** Time for which the metadata of a provider are kept. */
const DISCOVERED_MS = 60 * 60 * 1000;

export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const { provider, redirectUri, clock } = options;
  let known: { configuration: Promise<oidc.Configuration>; untilMs: number } | undefined;

  /** Finds the metadata, at first use. Those who ask meanwhile share one call; a failure is not kept. */
  function configuration(): Promise<oidc.Configuration> {
    if (known !== undefined && known.untilMs > clock.now()) return known.configuration;
    const begun = { configuration: discover(options), untilMs: clock.now() + DISCOVERED_MS };
    known = begun;
    begun.configuration.catch(() => {
      if (known === begun) known = undefined;
    });
    return begun.configuration;
  }

  return {
    authorizationUrl: ({ state, nonce, verifier }) =>
      told(provider, async () =>
        oidc.buildAuthorizationUrl(await configuration(), {
          ...{ redirect_uri: redirectUri, scope: provider.scopes.join(' '), state, nonce },
          ...{ code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
        }),
      ),
    redeem: ({ state, nonce, verifier }, query) =>
      told(provider, async () => {
        const found = await configuration();
        const tokens = await oidc.authorizationCodeGrant(found, new URL(`${redirectUri}${query}`), {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('There is no id token');
        return { issuer: claims.iss, claims: await completed(found, provider, tokens.access_token, claims) };
      }),
  };
}

async function discover({ provider, outbound, timeoutMs }: ProviderClientOptions): Promise<oidc.Configuration> {
  const issuer = new URL(provider.issuer);
  return await oidc.discovery(issuer, provider.clientId, {}, authenticationOf(provider), {
    [oidc.customFetch]: createProviderFetch(outbound),
    timeout: timeoutMs / 1_000,
    // The configuration takes plain http for loopback issuers only.
    execute: [oidc.enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [])],
  });
}

/** Way to prove who the client is: what every provider must take (RFC 6749), unless it says that it does not. */
function authenticationOf({ clientSecret }: OidcProvider): oidc.ClientAuth {
  if (clientSecret === undefined) return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(clientSecret), oidc.ClientSecretPost(clientSecret)];
  return (server, ...rest) => {
    const supported = server.token_endpoint_auth_methods_supported;
    const usesBasic = supported === undefined || supported.includes('client_secret_basic');
    return (usesBasic ? basic : post)(server, ...rest);
  };
}

/** Adds what the provider tells at its userinfo endpoint, if the id token lacks what is needed; the token's claims count. */
async function completed(
  configuration: oidc.Configuration,
  { roleMapping }: OidcProvider,
  accessToken: string,
  claims: oidc.IDToken,
): Promise<Claims> {
  const needed = ['email', 'email_verified', 'name', ...(roleMapping === undefined ? [] : [roleMapping.claim])];
  if (needed.every((name) => name in claims)) return claims;
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await oidc.fetchUserInfo(configuration, accessToken, claims.sub)), ...claims };
}

/** Errors of the client for an answer that is not that to our question: forged, replayed, or of another provider. */
const NOT_OURS: ReadonlySet<unknown> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
]);
const OUTAGES: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

/** Does the work with the provider; whatever goes wrong is told by a code, and kept as the cause. */
async function told<Result>({ name }: OidcProvider, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    // The errors of the client hold codes and claims, which are not for the log.
    const cause = new Error(reasonOf(thrown));
    const { code } = thrown as { code?: unknown };
    const refused = (message: string) => new AppError('OIDC_REFUSED', message, { cause });
    if (thrown instanceof oidc.AuthorizationResponseError && !OUTAGES.has(thrown.error)) {
      throw refused(`${name} did not sign you in`);
    }
    if (thrown instanceof oidc.ResponseBodyError && thrown.error === 'invalid_grant') {
      throw refused(`The answer of ${name} was used already, or too late: begin again`);
    }
    if (NOT_OURS.has(code) && !isMalformed(thrown))
      throw refused(`The answer of ${name} does not belong to this sign-in: begin again`);
    throw new AppError('OIDC_UNAVAILABLE', `${name} cannot be asked at the moment: try again in a while`, { cause });
  }
}

/** Whether an answer itself is malformed, and not what it says: the client then keeps its body as the last cause. */
function isMalformed(thrown: unknown): boolean {
  let cause = thrown;
  while (cause instanceof Error) ({ cause } = cause);
  return typeof cause === 'object' && cause !== null && 'body' in cause && !('claims' in cause);
}

const MAX_CAUSES = 5;
const ERROR_WORD = /^[a-z_]{1,60}$/;

/** Tells names and codes of an error and its causes, and the word with which a provider refuses. */
function reasonOf(thrown: unknown): string {
  const reasons: string[] = [];
  for (let error = thrown; error instanceof Error && reasons.length < MAX_CAUSES; error = error.cause) {
    const word = 'error' in error && typeof error.error === 'string' && ERROR_WORD.test(error.error) ? error.error : '';
    reasons.push(`${describeError(error)} ${word}`.trim());
  }
  return reasons.join(', because of ');
}
