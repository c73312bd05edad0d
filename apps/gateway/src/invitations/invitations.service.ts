import { AppError, newId, notFound, page, type Clock, type CursorCodec, type PageQuery } from '@clew/kernel';
import {
  INVITATION_MS,
  MAX_INVITATIONS,
  type Invitation,
  type InvitationLink,
  type NewInvitation,
} from '@clew/contracts';
import type { Mailer } from '@clew/mail';
import type { Database, Transaction } from '@clew/persistence';
import { actorOf } from '../audit/audit.ts';
import type { GatewayCaller } from '../caller.ts';
import type { LinkToken, LinkTokens } from '../links/link-token.ts';
import type { PersonActor } from '../members/change-person.ts';
import type { ReadRights } from '../members/read-rights.ts';
import { mayGive, requireMayGive } from '../members/rights.ts';
import { isActive } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import type { ProjectStore } from '../projects/projects.store.ts';
import { givenBy, invitationView, type StoredInvitation } from './invitation.ts';
import type { InvitationJournal } from './invitation-journal.ts';
import type { SendInvitation } from './send-invitation.ts';
import { INVITATIONS, type InvitationStore, type RenewedLink } from './invitations.store.ts';

export interface InvitationsDependencies {
  database: Database;
  invitations: InvitationStore;
  projects: Pick<ProjectStore, 'get'>;
  users: Pick<UserStore, 'findByEmail'>;
  readRights: Pick<ReadRights, 'ofCaller'>;
  journal: InvitationJournal;
  tokens: LinkTokens;
  mailer: Pick<Mailer, 'isOn'>;
  send: SendInvitation;
  cursors: CursorCodec;
  clock: Clock;
}

export type InvitationsService = ReturnType<typeof createInvitationsService>;

/** Invitations, as those who make and withdraw them see them. */
export function createInvitationsService(deps: InvitationsDependencies) {
  const { database, invitations, readRights, journal, tokens, cursors, clock } = deps;

  return {
    async create(actor: PersonActor, body: NewInvitation): Promise<InvitationLink> {
      const { caller } = actor;
      const given = { owner: body.role === 'owner', projectRoles: body.projectRoles };
      const token = tokens.make('invitation');
      const invitation = await database.withTransaction(async (tx) => {
        requireMayGive(await readRights.ofCaller(caller, tx), given);
        await requireProjects(tx, deps.projects, caller, given.projectRoles);
        const { workspaceId } = caller;
        await requireOpenAccount(tx, deps.users, workspaceId, body.email);
        if ((await invitations.count(tx, workspaceId, MAX_INVITATIONS)) >= MAX_INVITATIONS) {
          throw new AppError('TOO_MANY_INVITATIONS', `A workspace has at most ${MAX_INVITATIONS} open invitations`);
        }
        const link = newLink(deps, caller, token);
        const made = { id: newId('inv'), workspaceId, email: body.email, ...given, ...link, createdAt: clock.now() };
        await invitations.insert(tx, made);
        await journal.record(tx, 'invitation.created', made, by(actor));
        return made;
      });
      return told(invitation, token);
    },

    async list(caller: GatewayCaller, { projectId, ...query }: PageQuery & { projectId?: string | undefined }) {
      const { workspaceId } = caller;
      const rights = await readRights.ofCaller(caller);
      const request = { projectId: workspaceId, filters: { projectId, by: caller.principal.id }, ...query };
      const { items, nextCursor } = await page(cursors, INVITATIONS, request, (slice) =>
        invitations.list(workspaceId, accepts, slice),
      );
      const now = clock.now();
      return { invitations: items.map((each) => invitationView(each, now)), nextCursor };

      function accepts(invitation: StoredInvitation): boolean {
        if (!mayGive(rights, givenBy(invitation))) return false;
        return projectId === undefined || invitation.projectRoles.some((given) => given.projectId === projectId);
      }
    },

    /** Makes a new link, in the name of the caller; the earlier one works no more. */
    async renew(actor: PersonActor, invitationId: string): Promise<InvitationLink> {
      const token = tokens.make('invitation');
      const invitation = await database.withTransaction(async (tx) => {
        const found = await findManageable(tx, actor.caller, invitationId);
        if (found === undefined) throw notFound();
        const link = newLink(deps, actor.caller, token);
        const renewed = { ...found, ...link };
        await invitations.renew(tx, found.id, link);
        await journal.record(tx, 'invitation.link-renewed', renewed, by(actor));
        return renewed;
      });
      return told(invitation, token);
    },

    async withdraw(actor: PersonActor, invitationId: string): Promise<void> {
      await database.withTransaction(async (tx) => {
        const found = await findManageable(tx, actor.caller, invitationId);
        if (found === undefined || !(await invitations.remove(tx, found))) return;
        await journal.record(tx, 'invitation.withdrawn', found, by(actor));
      });
    },
  };

  /** Finds an invitation whose rights are all the caller's to give; for others there is none. */
  async function findManageable(
    tx: Transaction,
    caller: GatewayCaller,
    invitationId: string,
  ): Promise<StoredInvitation | undefined> {
    const rights = await readRights.ofCaller(caller, tx);
    const found = await invitations.get(tx, caller.workspaceId, invitationId);
    return found !== undefined && mayGive(rights, givenBy(found)) ? found : undefined;
  }

  /** Answers with the link and, once the invitation is stored, lets it be mailed. */
  function told(invitation: StoredInvitation, token: LinkToken): { invitation: Invitation; link: string } {
    const link = tokens.addressOf('invitation', token);
    if (deps.mailer.isOn) deps.send(invitation, link);
    return { invitation: invitationView(invitation, clock.now()), link };
  }
}

/** Throws if the address has an account that is deactivated: its invitation could not be accepted. */
async function requireOpenAccount(
  tx: Transaction,
  users: InvitationsDependencies['users'],
  workspaceId: string,
  email: string,
): Promise<void> {
  const user = await users.findByEmail(email, tx);
  if (user === undefined || user.workspaceId !== workspaceId || isActive(user)) return;
  throw new AppError('CONFLICT', 'The person with this address is deactivated');
}

async function requireProjects(
  tx: Transaction,
  projects: InvitationsDependencies['projects'],
  { workspaceId }: GatewayCaller,
  given: NewInvitation['projectRoles'],
): Promise<void> {
  for (const { projectId } of given) {
    if ((await projects.get(workspaceId, projectId, tx)) === undefined) throw notFound();
  }
}

function newLink(
  { clock, mailer }: Pick<InvitationsDependencies, 'clock' | 'mailer'>,
  { principal }: GatewayCaller,
  { hash }: LinkToken,
): RenewedLink {
  const now = clock.now();
  return {
    tokenHash: hash,
    createdBy: principal.id,
    expiresAt: now + INVITATION_MS,
    ...(mailer.isOn ? { mail: 'sending', mailedAt: now } : { mail: 'off', mailedAt: null }),
  };
}

function by({ caller, origin }: PersonActor) {
  return { actor: actorOf(caller.principal), origin };
}
