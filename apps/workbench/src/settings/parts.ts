import type { Permission } from '../api/rights.ts';

/** Groups of the parts, in the order in which they stand. */
export const PART_GROUPS = ['Project', 'Workspace', 'You'] as const;

interface PartFacts {
  readonly label: string;
  readonly group: (typeof PART_GROUPS)[number];
  /** Right without which there is nothing to see. */
  readonly needs?: Permission;
}

/** Parts of the settings. */
export const PARTS = {
  general: { label: 'General', group: 'Project' },
  members: { label: 'Members', group: 'Project', needs: 'project:members:manage' },
  keys: { label: 'API keys', group: 'Project', needs: 'project:keys:manage' },
  connectors: { label: 'Connectors', group: 'Project', needs: 'project:diagnostics:read' },
  webhooks: { label: 'Notifications', group: 'Project', needs: 'project:diagnostics:read' },
  diagnostics: { label: 'Diagnostics', group: 'Project', needs: 'project:diagnostics:read' },
  privacy: { label: 'Retention and privacy', group: 'Project', needs: 'project:read' },
  usage: { label: 'Quotas and usage', group: 'Project', needs: 'project:read' },
  audit: { label: 'Audit', group: 'Project', needs: 'project:members:manage' },
  people: { label: 'People', group: 'Workspace', needs: 'workspace:admin' },
  projects: { label: 'Projects', group: 'Workspace', needs: 'workspace:admin' },
  'sign-in': { label: 'Sign-in', group: 'Workspace', needs: 'workspace:admin' },
  health: { label: 'Health', group: 'Workspace' },
  account: { label: 'Account and sessions', group: 'You' },
  appearance: { label: 'Appearance and keys', group: 'You' },
} as const satisfies Readonly<Record<string, PartFacts>>;

export type PartId = keyof typeof PARTS;

export const PART_IDS = Object.keys(PARTS) as PartId[];

export function partOf(id: PartId): PartFacts {
  return PARTS[id];
}

/** Part that an address names. */
export function partNamed(name: string): PartId | undefined {
  return PART_IDS.find((id) => id === name);
}

/** Parts of each group that somebody may see; a group without any is left out. */
export function shownParts(
  has: (permission: Permission) => boolean,
): { group: (typeof PART_GROUPS)[number]; parts: PartId[] }[] {
  const isShown = (id: PartId) => {
    const { needs } = partOf(id);
    return needs === undefined || has(needs);
  };
  return PART_GROUPS.map((group) => ({
    group,
    parts: PART_IDS.filter((id) => partOf(id).group === group && isShown(id)),
  })).filter(({ parts }) => parts.length > 0);
}
