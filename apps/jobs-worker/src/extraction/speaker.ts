import type { ConversationMessage } from '@clew/contracts';

const MAX_NAME = 80;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Tells who says a message and when: role, name in brackets if it is known, day and time (UTC). */
export function speakerOf({ role, name, atMs }: Pick<ConversationMessage, 'role' | 'name' | 'atMs'>): string {
  const at = new Date(atMs);
  const time = `${DAYS[at.getUTCDay()]} ${at.toISOString().slice(0, 16).replace('T', ' ')}`;
  const named = name?.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_NAME) ?? '';
  return `${role}${named === '' ? '' : ` (${named})`}, ${time}`;
}
