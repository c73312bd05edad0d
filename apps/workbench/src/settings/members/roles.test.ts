import { expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { invitedText, roleNamed } from './roles.ts';

const invitation = (rest: Partial<Api.Invitation>): Api.Invitation => ({
  ...{ id: 'inv_1', email: 'a@b.example', role: null, projectRoles: [], mail: 'off', createdBy: 'usr_1' },
  ...{ createdAt: 1, expiresAt: 2 },
  ...rest,
});

it('says what an invitation gives', () => {
  const here = { projectId: 'prj_1', role: 'editor' as const };
  const there = { projectId: 'prj_2', role: 'viewer' as const };
  expect(invitedText(invitation({ role: 'owner' }), 'prj_1')).toBe('Owner of the workspace');
  expect(invitedText(invitation({ projectRoles: [here] }), 'prj_1')).toBe('Editor');
  expect(invitedText(invitation({ projectRoles: [here, there] }), 'prj_1')).toBe('Editor, and in 1 other project');
  expect(invitedText(invitation({ projectRoles: [there] }), 'prj_1')).toBe('In 1 other project');
});

it('knows roles by name', () => {
  expect(roleNamed('admin')).toBe('admin');
  expect(roleNamed('owner')).toBeUndefined();
});
