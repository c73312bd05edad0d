import type { Api } from '@clew/sdk';

export type PersonDeed = 'reset' | 'make-owner' | 'unmake-owner' | 'deactivate' | 'reactivate' | 'delete';

interface DeedFacts {
  readonly id: PersonDeed;
  readonly label: string;
  /** Consequences, where they are asked about once more. */
  readonly question?: string;
}

const DEEDS: readonly DeedFacts[] = [
  { id: 'reset', label: 'Link to a new password' },
  {
    id: 'make-owner',
    label: 'Make an owner',
    question: 'They get the whole workspace: all projects, all people, and the audit.',
  },
  {
    id: 'unmake-owner',
    label: 'Take the ownership back',
    question: 'They keep their roles in projects. The last owner cannot be taken away.',
  },
  {
    id: 'deactivate',
    label: 'Deactivate',
    question: 'Their sessions end within a second, and no key that they made works, until they are active again.',
  },
  { id: 'reactivate', label: 'Make active again' },
  {
    id: 'delete',
    label: 'Delete the account',
    question: 'Their account, sessions and roles go for good. What they have done stays in the audit.',
  },
];

/** Deeds that make sense for somebody; nobody locks themselves out here. */
export function deedsFor({ owner, state }: Pick<Api.Person, 'owner' | 'state'>, isSelf: boolean): DeedFacts[] {
  const isActive = state === 'active';
  const isOffered: Readonly<Record<PersonDeed, boolean>> = {
    reset: isActive,
    'make-owner': isActive && !owner,
    'unmake-owner': owner,
    deactivate: isActive && !isSelf,
    reactivate: !isActive,
    delete: !isSelf,
  };
  return DEEDS.filter(({ id }) => isOffered[id]);
}
