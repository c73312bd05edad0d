import type { ConversationMessage } from '@clew/contracts';

const MAX_NAME = 80;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/**
 * Tells who says a message, to whom and when: role, name in brackets if it is known, the listener's name if it is given,
 * day and time (UTC).
 */
export function speakerOf(
  { role, name, atMs }: Pick<ConversationMessage, 'role' | 'name' | 'atMs'>,
  listener?: string,
): string {
  const at = new Date(atMs);
  const time = `${DAYS[at.getUTCDay()]} ${at.toISOString().slice(0, 16).replace('T', ' ')}`;
  const [speaking, spokenTo] = [shortened(name), shortened(listener)];
  return `${role}${speaking === '' ? '' : ` (${speaking})`}${spokenTo === '' ? '' : ` to ${spokenTo}`}, ${time}`;
}

function shortened(name = ''): string {
  return name.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_NAME);
}
