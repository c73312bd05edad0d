import type { Api } from '@clew/sdk';
import { counted } from '../../text/format.ts';

export type Role = Api.Member['role'];

/** Roles in a project, from the least to the most. */
export const ROLES: readonly { readonly id: Role; readonly label: string; readonly meaning: string }[] = [
  { id: 'viewer', label: 'Viewer', meaning: 'reads everything' },
  { id: 'editor', label: 'Editor', meaning: 'also reviews, changes, and calls models' },
  { id: 'admin', label: 'Admin', meaning: 'also manages members, keys and the audit' },
];

export const ROLE_OPTIONS = ROLES.map(({ id, label, meaning }) => ({ id, label: `${label}: ${meaning}` }));

export function roleNamed(name: string): Role | undefined {
  return ROLES.find(({ id }) => id === name)?.id;
}

/** Role that an invitation gives, in words. */
export function invitedText({ role, projectRoles }: Api.Invitation, projectId: string): string {
  if (role === 'owner') return 'Owner of the workspace';
  const here = projectRoles.find((each) => each.projectId === projectId);
  const label = ROLES.find(({ id }) => id === here?.role)?.label;
  const others = projectRoles.length - (here === undefined ? 0 : 1);
  const more = others === 0 ? '' : `${label === undefined ? 'In' : ', and in'} ${counted(others, 'other project')}`;
  return `${label ?? ''}${more}`;
}

const MAIL: Readonly<Record<Api.Invitation['mail'], string>> = {
  off: 'Not sent by mail: give them the link',
  sending: 'Being sent by mail',
  sent: 'Sent by mail',
  failed: 'The mail failed: give them the link',
};

export function mailText(mail: Api.Invitation['mail']): string {
  return MAIL[mail];
}
