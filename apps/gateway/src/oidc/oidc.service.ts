import type { IncomingMessage } from 'node:http';
import { AppError, notFound, type Clock } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import type { PeopleJournal } from '../people/people-journal.ts';
import type { UserStore } from '../people/users.store.ts';
import type { OldestWorkspace } from '../projects/workspaces.ts';
import type { SignInOrigin } from '../request-origin.ts';
import type { OpenedSession, Sessions } from '../sessions/sessions.service.ts';
import type { Tokens } from '../sessions/tokens.ts';
import type { Browser } from '../sign-in/sign-in.service.ts';
import type { SignInThrottle } from '../sign-in/sign-in-throttle.ts';
import type { AccountLinkStore } from './account-links.store.ts';
import type { Admission, Admissions } from './admit.ts';
import { identityOf, type ProvenIdentity } from './identity.ts';
import type { ProviderClient } from './provider-client.ts';
import type { OidcProvider } from './provider-config.ts';
import type { SignInFlow, SignInFlows } from './sign-in-flow.ts';
import { providerActor } from './sign-up.ts';

export interface OidcDependencies {
  database: Database;
  providers: ReadonlyMap<string, { provider: OidcProvider; client: ProviderClient }>;
  flows: SignInFlows;
  admissions: Admissions;
  accountLinks: AccountLinkStore;
  users: Pick<UserStore, 'noteSignIn'>;
  sessions: Pick<Sessions, 'endByValue'>;
  throttle: SignInThrottle;
  journal: Pick<PeopleJournal, 'record'>;
  oldestWorkspace: OldestWorkspace;
  tokens: Tokens;
  clock: Clock;
  /** Called when a change has committed, so that this replica knows of it before the broadcast arrives. */
  onUserChanged: (userId: string) => void;
}

/** Answer of a provider, as its browser brings it. */
export interface ProviderAnswer {
  request: Pick<IncomingMessage, 'headers'>;
  state: string | undefined;
  /** Whole query, beginning with `?`. */
  query: string;
}

/** Sign-in that has succeeded, or goes on with the confirmation that an account is the person's own. */
export type Finished = { opened: OpenedSession; returnTo: string } | { linkToken: string };

/** Time for which an account can be linked after the sign-in at the provider. */
export const LINK_MS = 10 * 60 * 1000;

const REASONS: Readonly<Record<(Admission & { kind: 'refused' })['reason'], string>> = {
  deactivated: 'The account is not active',
  unverified: 'The provider has not verified your mail address',
  'not-invited': 'Nobody has invited this mail address: ask for an invitation',
};

export type OidcService = ReturnType<typeof createOidcService>;

export function createOidcService(deps: OidcDependencies) {
  const { database, flows, admissions, sessions, throttle, tokens, clock } = deps;

  function configured(providerId: string) {
    const found = deps.providers.get(providerId);
    if (found === undefined) throw notFound();
    return found;
  }

  return {
    /** Begins a sign-in: resolves with the page of the provider, and the cookie that binds its answer to the browser. */
    async start(providerId: string, returnTo: string): Promise<{ location: string; setCookie: string }> {
      const { client } = configured(providerId);
      const { flow, setCookie } = flows.begin(providerId, returnTo);
      return { location: (await client.authorizationUrl(flow)).href, setCookie };
    },

    /** Takes the answer of a provider. Answers that are not ours, and people who may not come in, count as failures. */
    async finish(providerId: string, answer: ProviderAnswer, { origin, replaced }: Browser): Promise<Finished> {
      const { provider, client } = configured(providerId);
      const attempt = await throttle.begin({ address: origin.address });
      try {
        const flow = flows.resume(answer.request, providerId, answer.state);
        const identity = await prove(provider, client, flow, answer.query);
        const admission = await admissions.admit(provider, identity, origin);
        if (admission.kind === 'refused') return await refuse(deps, provider, identity, admission, origin);
        if (admission.kind === 'unlinked') return await askToLink(provider, identity, admission, flow.returnTo);
        return { opened: await welcomed(admission.opened, origin, replaced), returnTo: flow.returnTo };
      } catch (error) {
        if (error instanceof AppError && error.status < 500) await attempt.failed();
        throw error;
      }
    },

    /** Notes a session that was opened, and ends the one that the browser had. */
    welcomed,
  };

  async function welcomed(
    opened: OpenedSession,
    origin: SignInOrigin,
    replaced: string | undefined,
  ): Promise<OpenedSession> {
    if (replaced !== undefined) await sessions.endByValue(replaced, origin);
    deps.onUserChanged(opened.user.id);
    await deps.users.noteSignIn(opened.user.id, opened.session.createdAt);
    return opened;
  }

  async function prove(
    provider: OidcProvider,
    client: ProviderClient,
    flow: SignInFlow,
    query: string,
  ): Promise<ProvenIdentity> {
    const { issuer, claims } = await client.redeem(flow, query);
    const identity = identityOf(provider, issuer, claims);
    if (identity === undefined) throw new AppError('OIDC_UNAVAILABLE', `${provider.name} has not said who you are`);
    return identity;
  }

  /** Keeps the account at the provider until the person of the address has confirmed that it is theirs. */
  async function askToLink(
    { id: providerId }: OidcProvider,
    { issuer, subject }: ProvenIdentity,
    { user, email, roles }: Admission & { kind: 'unlinked' },
    returnTo: string,
  ): Promise<Finished> {
    const { value, hash } = tokens.make('account-link');
    const link = { userId: user.id, providerId, issuer, subject, email, roles, returnTo };
    await database.withTransaction((tx) => deps.accountLinks.insert(tx, hash, link, clock.now() + LINK_MS));
    return { linkToken: value };
  }
}

/** Records why somebody may not come in, and throws it. */
async function refuse(
  { database, oldestWorkspace, journal, clock }: OidcDependencies,
  { id, name }: OidcProvider,
  { issuer, subject, email }: ProvenIdentity,
  { reason, user }: Admission & { kind: 'refused' },
  origin: SignInOrigin,
): Promise<never> {
  const workspaceId = user?.workspaceId ?? (await oldestWorkspace());
  if (workspaceId !== undefined) {
    const target =
      user === undefined
        ? ({ kind: 'address', id: email ?? `${issuer} ${subject}`.slice(0, 200) } as const)
        : ({ kind: 'person', id: user.id } as const);
    const deed = { action: 'session.sign-in-failed', workspaceId, actor: providerActor(id), target, origin } as const;
    await database.withTransaction((tx) =>
      journal.record(tx, { ...deed, after: { provider: id, reason }, nowMs: clock.now() }),
    );
  }
  throw new AppError('OIDC_REFUSED', `${name}: ${REASONS[reason]}`);
}
