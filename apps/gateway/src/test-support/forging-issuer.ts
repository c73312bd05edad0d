import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answer of the forging provider instead of the usual one. */
export type Forgery = (request: IncomingMessage, response: ServerResponse) => void;

/** Provider that says whatever a test wants, in well-signed tokens or in none. */
export interface ForgingIssuer {
  issuer: string;
  /** Claims of the next id token, beside those of a good one; undefined leaves one out. */
  claims: Record<string, unknown>;
  /** Answers in place of the usual ones, by path. */
  forgeries: Map<string, Forgery>;
  /** Requests so far, by path. */
  asked: string[];
  /** Whether tokens are signed with another key than the published one. */
  usesStrangeKey: boolean;
  /** Address to which the browser is sent back with a code, for an address of the authorization endpoint. */
  sendBack(authorizationUrl: string, parameters?: Record<string, string>): URL;
  stop(): Promise<void>;
}

const json = (response: ServerResponse, body: unknown) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
};
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

export async function startForgingIssuer(clientId: string): Promise<ForgingIssuer> {
  const [published, strange] = [newKey(), newKey()];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let nonce = '';
  const forging: ForgingIssuer = {
    ...{ issuer, claims: {}, forgeries: new Map(), asked: [], usesStrangeKey: false },
    sendBack(authorizationUrl, parameters = {}) {
      const { searchParams } = new URL(authorizationUrl);
      nonce = searchParams.get('nonce') ?? '';
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      const state = searchParams.get('state') ?? '';
      for (const [name, value] of Object.entries({ code: 'a-code', state, iss: issuer, ...parameters })) {
        back.searchParams.set(name, value);
      }
      return back;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function idToken(): string {
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const good = { iss: issuer, aud: clientId, sub: 'ada', nonce, iat: nowSeconds, exp: nowSeconds + 300 };
    const signed = `${base64url({ alg: 'ES256', kid: 'one' })}.${base64url({ ...good, ...forging.claims })}`;
    const { privateKey } = forging.usesStrangeKey ? strange : published;
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  }

  const usual: Readonly<Record<string, Forgery>> = {
    '/.well-known/openid-configuration': (_request, response) =>
      json(response, {
        ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
        ...{ jwks_uri: `${issuer}/keys`, authorization_response_iss_parameter_supported: true },
        ...{ response_types_supported: ['code'], id_token_signing_alg_values_supported: ['ES256'] },
      }),
    '/keys': (_request, response) =>
      json(response, { keys: [{ ...published.jwk, kid: 'one', alg: 'ES256', use: 'sig' }] }),
    '/token': (_request, response) =>
      json(response, { access_token: 'an-access-token', token_type: 'bearer', id_token: idToken() }),
  };
  server.on('request', (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    forging.asked.push(path);
    const answer = forging.forgeries.get(path) ?? usual[path];
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  });
  return forging;
}

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, jwk: publicKey.export({ format: 'jwk' }) };
}
