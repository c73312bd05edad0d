import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { AppError, readJson, type Clock } from '@clew/kernel';
import { createCookie } from '../sessions/cookie.ts';
import type { Tokens } from '../sessions/tokens.ts';

/** Sign-in at a provider that a browser has begun. */
export interface SignInFlow {
  state: string;
  nonce: string;
  /** PKCE verifier. It is never in the browser. */
  verifier: string;
  returnTo: string;
}

/** Sign-ins under way, each known by a cookie in the browser that began it. */
export interface SignInFlows {
  begin(providerId: string, returnTo: string): { flow: SignInFlow; setCookie: string };
  /** Finds the flow of a browser; throws OIDC_STATE_INVALID unless it is of this provider, on time, and has that state. */
  resume(request: Pick<IncomingMessage, 'headers'>, providerId: string, state: string | undefined): SignInFlow;
  /** Header `Set-Cookie` that ends the flow of a browser. */
  end(): string;
}

const FLOW_MS = 10 * 60 * 1000;
const SEED_BYTES = 32;
const VALUE = /^[\w-]{1,3000}\.[\w-]{43}$/;
const Content = z.tuple([z.string(), z.string(), z.int(), z.string()]);

/**
 * Keeps flows in cookies with a MAC. State, nonce and verifier follow from the seed in the cookie, the provider and a
 * key of the deployment, so that the cookie alone tells none of them.
 */
export function createSignInFlows(publicUrl: string, tokens: Tokens, clock: Clock): SignInFlows {
  const cookie = createCookie(publicUrl, { name: 'clew_oidc', value: VALUE });

  function flowOf(seed: string, providerId: string, returnTo: string): SignInFlow {
    const value = (purpose: 'oidc-state' | 'oidc-nonce' | 'oidc-verifier') =>
      tokens.hashOf(purpose, `${providerId} ${seed}`);
    return { state: value('oidc-state'), nonce: value('oidc-nonce'), verifier: value('oidc-verifier'), returnTo };
  }

  return {
    begin(providerId, returnTo) {
      const seed = randomBytes(SEED_BYTES).toString('base64url');
      const content = [seed, providerId, clock.now() + FLOW_MS, returnTo] satisfies z.infer<typeof Content>;
      const text = Buffer.from(JSON.stringify(content)).toString('base64url');
      const setCookie = cookie.give(`${text}.${tokens.hashOf('oidc-cookie', text)}`, FLOW_MS);
      return { flow: flowOf(seed, providerId, returnTo), setCookie };
    },
    resume(request, providerId, state) {
      const [text = '', mac = ''] = cookie.read(request)?.split('.') ?? [];
      if (text === '' || !isEqual(mac, tokens.hashOf('oidc-cookie', text))) throw notBegunHere();
      const [seed, begunAt, endsAt, returnTo] = Content.parse(readJson(Buffer.from(text, 'base64url').toString()));
      const flow = flowOf(seed, providerId, returnTo);
      const isOfProvider = begunAt === providerId && state !== undefined && isEqual(state, flow.state);
      if (!isOfProvider || endsAt <= clock.now()) throw notBegunHere();
      return flow;
    },
    end: () => cookie.take(),
  };
}

function isEqual(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function notBegunHere(): AppError {
  return new AppError('OIDC_STATE_INVALID', 'This browser did not begin the sign-in, or too long ago: begin again');
}
