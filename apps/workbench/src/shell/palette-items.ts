import { COMMAND_IDS, commandOf, type CommandId } from '../commands/table.ts';

/** Commands that the palette offers for what is typed: those of this page that have all the words in their title. */
export function paletteCommands(typed: string, active: readonly CommandId[]): CommandId[] {
  const wanted = typed.toLowerCase().split(/\s/).filter(Boolean);
  return COMMAND_IDS.filter((id) => {
    const { title, group } = commandOf(id);
    const text = `${title} ${group}`.toLowerCase();
    // Moving about in a list from a dialog over it would be seen by nobody.
    const isUseful = id !== 'palette.open' && !id.startsWith('list.');
    return isUseful && active.includes(id) && wanted.every((word) => text.includes(word));
  });
}

/** Thing that an id names which somebody pasted; undefined for other texts. */
export function pastedThing(typed: string): { kind: 'finding' | 'conversation'; id: string } | undefined {
  const id = typed.trim();
  if (/^fnd_[0-9A-HJKMNP-TV-Z]{26}$/.test(id)) return { kind: 'finding', id };
  // Conversations have the ids that their telemetry gave them.
  return /^[\w.:-]{16,200}$/.test(id) && /\d/.test(id) ? { kind: 'conversation', id } : undefined;
}
