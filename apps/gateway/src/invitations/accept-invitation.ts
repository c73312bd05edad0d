import { AppError, newId, notFound, type Clock } from '@clew/kernel';
import type { AcceptInvitation, OpenInvitation } from '@clew/contracts';
import { isDuplicateKey, type Database, type Transaction } from '@clew/persistence';
import { changesOwners, withInvited } from '../members/member.ts';
import type { PersonJournal } from '../members/person-journal.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import { emailKeyOf, passwordOf, withPassword, type StoredUser } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import type { ProjectStore } from '../projects/projects.store.ts';
import type { SignInOrigin } from '../request-origin.ts';
import type { OpenedSession, Sessions } from '../sessions/sessions.service.ts';
import { passwordsAreOff, type Browser } from '../sign-in/sign-in.service.ts';
import type { SignInThrottle } from '../sign-in/sign-in-throttle.ts';
import type { FindOpenInvitation } from './find-open-invitation.ts';
import { givenBy, type StoredInvitation } from './invitation.ts';
import type { InvitationJournal } from './invitation-journal.ts';
import type { InvitationStore } from './invitations.store.ts';

export interface AcceptInvitationDependencies {
  database: Database;
  invitations: InvitationStore;
  users: UserStore;
  projects: Pick<ProjectStore, 'get' | 'workspaceName'>;
  findOpen: FindOpenInvitation;
  journal: InvitationJournal;
  people: PersonJournal;
  hasher: PasswordHasher;
  throttle: SignInThrottle;
  sessions: Pick<Sessions, 'openIn' | 'endByValue'>;
  minPasswordLength: number;
  /** Whether passwords sign in. */
  takesPasswords: boolean;
  clock: Clock;
  /** Called when a change has committed, so that this replica knows of it before the broadcast arrives. */
  onUserChanged: (userId: string) => void;
}

export type AcceptInvitationService = ReturnType<typeof createAcceptInvitation>;

/** Opens invitations by the token of their link. Tokens that do not work count as failed tries to sign in. */
export function createAcceptInvitation(deps: AcceptInvitationDependencies) {
  const { database, invitations, users, projects, findOpen, hasher, throttle, sessions, clock } = deps;

  return {
    /** Shows an invitation to who has its link. */
    async read(token: string, address: string | null): Promise<OpenInvitation> {
      const attempt = await throttle.begin({ address });
      const { invitation, user } = await findOpen(token);
      await attempt.succeeded();
      const { workspaceId, email, owner, expiresAt } = invitation;
      const projectRoles = await Promise.all(
        invitation.projectRoles.map(async ({ projectId, role }) => {
          const project = await projects.get(workspaceId, projectId);
          return { projectId, project: project?.name ?? '', role };
        }),
      );
      const workspace = await projects.workspaceName(workspaceId);
      const role = owner ? ('owner' as const) : null;
      const takesPassword = deps.takesPasswords && (user === undefined || passwordOf(user) !== undefined);
      return { email, workspace, role, projectRoles, hasAccount: user !== undefined, takesPassword, expiresAt };
    },

    /**
     * Accepts an invitation once: makes an account, or adds the roles to the one that the address has if the password is
     * its own. The session is opened in the same transaction.
     */
    async accept(token: string, body: AcceptInvitation, { origin, replaced }: Browser): Promise<OpenedSession> {
      if (!deps.takesPasswords) throw passwordsAreOff();
      const anonymous = await throttle.begin({ address: origin.address });
      const { invitation, user: known } = await findOpen(token);
      await anonymous.succeeded();
      if (known !== undefined) await requirePassword(known, body.password, origin);
      const made = known === undefined ? await newAccount(invitation, body) : undefined;
      if (replaced !== undefined) await sessions.endByValue(replaced, origin);
      const opened = await inTransaction(database, async (tx) => {
        const { invitation: current, user: before } = await findOpen(token, tx);
        if (!(await invitations.remove(tx, current))) throw notFound();
        // An account that appeared, or went away, since it was looked up has not proved its password.
        if (before?.id !== known?.id) throw notFound();
        const after = await join(tx, current, before, made);
        const by = { actor: { kind: 'user' as const, id: after.id }, origin };
        await deps.journal.record(tx, 'invitation.accepted', current, by);
        await deps.people.changed(tx, by, { before, after });
        return await sessions.openIn(tx, after, 'invitation', origin);
      });
      deps.onUserChanged(opened.user.id);
      await users.noteSignIn(opened.user.id, opened.session.createdAt);
      return opened;
    },
  };

  async function newAccount({ email, workspaceId }: StoredInvitation, { name, password }: AcceptInvitation) {
    if (name === undefined) throw missingName();
    requireGoodPassword(password, deps.minPasswordLength, { path: 'body.password', email, name });
    const now = clock.now();
    const user: StoredUser = {
      ...{ id: newId('usr'), workspaceId, email, emailKey: emailKeyOf(email), name, owner: false, state: 'active' },
      ...{ memberships: [], credentials: [], identities: [], lastSignedInAt: null, version: 1 },
      ...{ createdAt: now, updatedAt: now },
    };
    return withPassword(user, await hasher.hash(password), now);
  }

  async function requirePassword(user: StoredUser, password: string, { address }: SignInOrigin): Promise<void> {
    const attempt = await throttle.begin({ address, account: user.emailKey });
    const { isRight } = await hasher.verify(password, passwordOf(user)?.hash);
    if (!isRight) throw new AppError('UNAUTHENTICATED', 'The password is not that of the account of this address');
    await attempt.succeeded();
  }

  async function join(
    tx: Transaction,
    invitation: StoredInvitation,
    user: StoredUser | undefined,
    made: StoredUser | undefined,
  ): Promise<StoredUser> {
    const before = user ?? made;
    if (before === undefined) throw notFound();
    const joined = withInvited(before, givenBy(invitation));
    if (changesOwners(user, joined)) await users.guardOwners(tx, invitation.workspaceId);
    if (user === undefined) {
      await users.insert(tx, joined);
      return joined;
    }
    return (await users.update(tx, user.id, () => joined, clock.now())) ?? user;
  }
}

/** Runs the work in a transaction; two invitations of one new address make one account. */
async function inTransaction<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await database.withTransaction(work);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new AppError('CONFLICT', 'The address got an account meanwhile: open the link again', { cause: error });
  }
}

function missingName(): AppError {
  const [path, message] = ['body.name', 'is required for a new account'];
  return new AppError('VALIDATION_FAILED', `${path}: ${message}`, { details: [{ path, message }] });
}
