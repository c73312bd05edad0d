import type { Slice, SliceRequest } from '@clew/kernel';
import { NEWEST_FIRST, readSlice, type Database, type KeysetList, type Transaction } from '@clew/persistence';
import { activityModel, type ActivityDocument } from './activity.model.ts';
import type { Activity } from './activity.ts';

export const ACTIVITY: KeysetList = { name: 'finding activity', order: NEWEST_FIRST, invalidCursor: 'INVALID_FILTER' };

export interface ActivityStore {
  add(tx: Transaction, activities: readonly Activity[]): Promise<void>;
  get(projectId: string, findingId: string, activityId: string): Promise<Activity | undefined>;
  /** Lists activities, newest first. */
  list(projectId: string, findingId: string, slice: SliceRequest): Promise<Slice<Activity>>;
}

export function createActivityStore({ connection }: Database): ActivityStore {
  const model = activityModel(connection);
  return {
    async add(tx, activities) {
      if (activities.length === 0) return;
      const documents = activities.map(({ id: _id, ...rest }) => ({ _id, ...rest }));
      await model.collection.insertMany(documents as never, { session: tx });
    },
    async get(projectId, findingId, activityId) {
      const document = await model.findOne({ _id: activityId, projectId, findingId }).lean();
      return document === null ? undefined : fromDocument(document);
    },
    list: (projectId, findingId, slice) =>
      readSlice(model, ACTIVITY.order, { filter: { projectId, findingId }, ...slice }, fromDocument),
  };
}

function fromDocument({ _id, ...rest }: ActivityDocument): Activity {
  return { id: _id, ...rest };
}
