import { describe, expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { may, roleWith } from './rights.ts';

const person = (rest: Partial<Api.Me>): Api.Me => ({
  kind: 'user',
  id: 'usr_1',
  projectIds: [],
  features: { rules: true, workItems: true, modelRuntime: true, mail: false },
  version: '1',
  ...rest,
});

describe('a right', () => {
  const viewer = person({
    memberships: [
      { projectId: 'prj_1', role: 'viewer', permissions: ['project:diagnostics:read'] },
      { projectId: 'prj_2', role: 'editor', permissions: ['project:diagnostics:write'] },
    ],
  });

  it('is that of the project, not of another one', () => {
    expect(may(viewer, 'prj_1', 'project:diagnostics:write')).toBe(false);
    expect(may(viewer, 'prj_2', 'project:diagnostics:write')).toBe(true);
    expect(may(viewer, 'prj_3', 'project:diagnostics:read')).toBe(false);
  });

  it('is everything for an owner', () => {
    expect(may(person({ owner: true }), 'prj_9', 'workspace:admin')).toBe(true);
  });

  it('names the role that has it', () => {
    expect(roleWith('project:diagnostics:write')).toBe('editor');
    expect(roleWith('unknown')).toBeUndefined();
  });
});
