import { useQuery } from '@tanstack/react-query';
import { meQuery, membersQuery } from './queries.ts';

/** Names of people by id; an id of somebody unknown stands for itself. */
export function useNames(projectId: string): (id: string) => string {
  const { data: members = [] } = useQuery(membersQuery(projectId));
  const { data: me } = useQuery(meQuery);
  const names = new Map(members.map(({ userId, name }) => [userId, name]));
  if (me?.name !== undefined) names.set(me.id, me.name);
  return (id) => names.get(id) ?? id;
}
