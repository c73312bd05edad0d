import { conversationKey, type CallTaken, type ConversationDocument } from './conversation.model.ts';

/** What is new about the calls that a conversation shares with others. */
export interface CallChanges {
  projectId: string;
  /** All that it has taken by now. */
  callsTaken: CallTaken[];
  /** Those that it had not taken before, and those that it does not take any more. */
  takes: CallTaken[];
  releases: CallTaken[];
  /** Its own calls that others keep, which it did not know before. */
  losses: { call: number; keeper: string }[];
}

/** How a conversation's own document is changed by it; empty where nothing has. */
export function ownCallUpdate({ callsTaken, takes, releases, losses }: CallChanges) {
  const isOther = takes.length > 0 || releases.length > 0;
  return {
    ...(isOther ? { $set: { callsTaken } } : {}),
    ...(losses.length > 0 ? { $addToSet: { callsLost: { $each: losses.map(({ call }) => call) } } } : {}),
  };
}

/**
 * Tells the conversations on the other side, which are due then: those that a call was taken from, or given back to, and
 * those that keep a call and were assembled before there was this record of it. Who knows it already is left alone, so
 * that two conversations do not wake each other for ever.
 */
export function otherCallUpdates({ projectId, takes, releases, losses }: CallChanges, dueAt: number) {
  const touched = { $inc: { touches: 1 }, $max: { dueAt } };
  const update = (conversationId: string, filter: object, change: object) => ({
    updateOne: { filter: { _id: conversationKey(projectId, conversationId), ...filter }, update: change },
  });
  return [
    ...takes.map(({ call, from }) =>
      update(from, { callsLost: { $ne: call } }, { ...touched, $addToSet: { callsLost: call } }),
    ),
    ...releases.map(({ call, from }) => update(from, { callsLost: call }, { ...touched, $pull: { callsLost: call } })),
    ...losses.map(({ call, keeper }) =>
      update(keeper, { assembledTouches: { $gt: 0 }, 'callsTaken.call': { $ne: call } }, touched),
    ),
  ] satisfies { updateOne: { filter: { _id: ConversationDocument['_id'] } } }[];
}
