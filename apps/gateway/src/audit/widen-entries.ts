import type { Connection } from 'mongoose';
import { nativeDb } from '@clew/persistence';

/** Gives entries of the first form (`actorId`, `targetId`, `ip`) the members of today's. Safe to repeat. */
export async function widenEntries(connection: Connection): Promise<void> {
  const starts = (field: string, prefix: string) => ({ $eq: [{ $indexOfBytes: [field, prefix] }, 0] });
  const isProject = starts('$action', 'project.');
  await nativeDb(connection)
    .collection('audit')
    .updateMany({ actorId: { $exists: true } }, [
      {
        $set: {
          actor: {
            kind: {
              $switch: {
                branches: [
                  { case: starts('$actorId', 'key_'), then: 'key' },
                  { case: starts('$actorId', 'usr_'), then: 'user' },
                ],
                default: 'bootstrap',
              },
            },
            id: '$actorId',
          },
          target: { kind: { $cond: [isProject, 'project', 'api-key'] }, id: '$targetId' },
          projectId: { $cond: [isProject, '$targetId', null] },
          address: { $ifNull: ['$ip', null] },
          area: { $arrayElemAt: [{ $split: ['$action', '.'] }, 0] },
        },
      },
      { $unset: ['actorId', 'targetId', 'ip'] },
    ]);
}
