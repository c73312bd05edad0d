import type { Api } from '@clew/sdk';

type Made = Pick<Api.ApiKey, 'createdBy' | 'createdByName'>;

/** Words for who made a key or approved the device that has it: a person, another key of the list, or the set-up. */
export function makerText(
  { createdBy, createdByName }: Made,
  keys: readonly Pick<Api.ApiKey, 'id' | 'name'>[],
): string {
  if (createdBy === 'bootstrap') return 'the set-up';
  const maker = keys.find(({ id }) => id === createdBy);
  return createdByName ?? (maker === undefined ? createdBy : `key ${maker.name}`);
}
