import { conversationKey, type CallTaken, type ConversationDocument } from './conversation.model.ts';

/** Part of an update that marks a conversation as changed since its latest assembly. */
export const touched = { $inc: { touches: 1 }, $set: { isReady: false } } as const;

/** Changes to the calls that a conversation shares with others. */
export interface CallChanges {
  projectId: string;
  /** All calls that the conversation has now taken from others. */
  callsTaken: CallTaken[];
  /** Calls newly taken (`takes`), and calls that are not taken any more (`releases`). */
  takes: CallTaken[];
  releases: CallTaken[];
  /** Its own calls that other conversations keep, of which it did not know before. */
  losses: { call: number; keeper: string }[];
}

/** Update of the conversation's own document; empty if nothing changed. */
export function ownCallUpdate({ callsTaken, takes, releases, losses }: CallChanges) {
  const isOther = takes.length > 0 || releases.length > 0;
  return {
    ...(isOther ? { $set: { callsTaken } } : {}),
    ...(losses.length > 0 ? { $addToSet: { callsLost: { $each: losses.map(({ call }) => call) } } } : {}),
  };
}

/**
 * Updates of the other conversations, which become due with them: those from which a call was taken or to which it was
 * given back, and those that keep a call and were assembled before this record of it existed. A conversation that
 * already knows of the change is left alone, so that two conversations do not wake each other for ever.
 */
export function otherCallUpdates({ projectId, takes, releases, losses }: CallChanges, dueAt: number) {
  const changed = { ...touched, $max: { dueAt } };
  const update = (conversationId: string, filter: object, change: object) => ({
    updateOne: { filter: { _id: conversationKey(projectId, conversationId), ...filter }, update: change },
  });
  return [
    ...takes.map(({ call, from }) =>
      update(from, { callsLost: { $ne: call } }, { ...changed, $addToSet: { callsLost: call } }),
    ),
    ...releases.map(({ call, from }) => update(from, { callsLost: call }, { ...changed, $pull: { callsLost: call } })),
    ...losses.map(({ call, keeper }) =>
      update(keeper, { assembledTouches: { $gt: 0 }, 'callsTaken.call': { $ne: call } }, changed),
    ),
  ] satisfies { updateOne: { filter: { _id: ConversationDocument['_id'] } } }[];
}
