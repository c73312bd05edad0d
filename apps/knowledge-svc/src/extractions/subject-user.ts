import type { ConversationSnapshot, ExtractedItem, KnowledgeItem } from '@clew/contracts';
import { isOfOneself, subjectKeyOf, THE_PROJECT } from '@clew/knowledge';

/** User of a conversation. */
export interface ConversationUser {
  userId: string | null;
  /** Keys of the names under which users speak in it. */
  names: readonly string[];
}

export function userOf({ userId, messages }: Pick<ConversationSnapshot, 'userId' | 'messages'>): ConversationUser {
  const names = messages.flatMap(({ role, name }) =>
    role === 'user' && name !== undefined ? [subjectKeyOf(name)] : [],
  );
  return { userId, names: [...new Set(names)] };
}

/**
 * Subject of an item with the id of the user whom it is about. The id is that of the only user who speaks; a user
 * without a name who tells about himself is known by the id.
 */
export function subjectWithUser(
  { subject = THE_PROJECT, authority, evidence }: ExtractedItem,
  { userId, names }: ConversationUser,
): KnowledgeItem['subject'] {
  if (userId === null || names.length > 1) return { ...subject, userId: null };
  const key = subjectKeyOf(subject.name);
  const isNamed = subject.kind === 'person' && (names.includes(key) || key === subjectKeyOf(userId));
  if (isNamed) return { ...subject, userId };
  const isOfUser = authority === 'user_stated' && evidence.some(({ quote }) => isOfOneself(quote));
  const isUnnamed = subject.kind === 'project' && names.length === 0 && isOfUser;
  return isUnnamed ? { kind: 'person', name: userId, userId } : { ...subject, userId: null };
}
