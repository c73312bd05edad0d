import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { keepCookie } from './keep-cookie.ts';

/** Person at the provider. */
export interface IssuedPerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

/** OpenID provider of the community on loopback, whose people sign in without being asked. */
export interface LoopbackIssuer {
  issuer: string;
  /** Chooses who is signed in at the provider, whose browser comes next. */
  become(person: IssuedPerson): void;
  /** Signs a person in at the page of the provider; resolves with the address that the browser is sent back to. */
  signIn(authorizationUrl: string, person: IssuedPerson): Promise<URL>;
  stop(): Promise<void>;
}

/** Deployment that the provider knows; without a secret it is a public client. */
export interface LoopbackClient {
  id: string;
  secret?: string;
  redirectUri: string;
}

const MAX_STEPS = 10;
const LASTS_S = 600;

/** Starts a provider for some clients; PKCE is required of each. */
export async function startLoopbackIssuer(clients: readonly LoopbackClient[]): Promise<LoopbackIssuer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, IssuedPerson>();
  let signingIn = '';
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const provider = new Provider(issuer, {
    clients: clients.map(({ id, secret, redirectUri }) => ({
      ...{ client_id: id, redirect_uris: [redirectUri], grant_types: ['authorization_code'] },
      ...(secret === undefined ? { token_endpoint_auth_method: 'none' } : { client_secret: secret }),
    })),
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of the tests'] },
    pkce: { required: () => true },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] },
    ttl: {
      AccessToken: LASTS_S,
      AuthorizationCode: LASTS_S,
      Grant: LASTS_S,
      IdToken: LASTS_S,
      Interaction: LASTS_S,
      Session: LASTS_S,
    },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...people.get(id), sub: id }) }),
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return void callback(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: signingIn } });
  });
  const become = (person: IssuedPerson) => {
    people.set(person.sub, person);
    signingIn = person.sub;
  };
  return {
    issuer,
    become,
    async signIn(authorizationUrl, person) {
      become(person);
      const cookies = new Map<string, string>();
      let at = new URL(authorizationUrl);
      for (let step = 0; step < MAX_STEPS && at.origin === issuer; step += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const line of response.headers.getSetCookie()) keepCookie(cookies, line);
        const location = response.headers.get('location');
        if (location === null) throw new Error(`The provider answers ${response.status}: ${await response.text()}`);
        await response.body?.cancel();
        at = new URL(location, at);
      }
      return at;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
