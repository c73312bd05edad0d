import { useEffect, useRef, useSyncExternalStore } from 'react';
import { commands, type CommandHandler } from './registry.ts';
import type { CommandId } from './table.ts';

/** Takes commands while the component is shown; one without a handler is not taken. */
export function useCommands(handlers: Readonly<Partial<Record<CommandId, CommandHandler | undefined>>>): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  const taken = Object.entries(handlers)
    .filter(([, handler]) => handler !== undefined)
    .map(([id]) => id)
    .join(' ');
  useEffect(() => {
    const ids = taken.split(' ').filter(Boolean) as CommandId[];
    const removals = ids.map((id) => commands.register(id, () => latest.current[id]?.()));
    return () => {
      for (const remove of removals) remove();
    };
  }, [taken]);
}

/** Commands that can be given now. */
export function useActiveCommands(): readonly CommandId[] {
  return useSyncExternalStore(commands.subscribe, commands.active);
}
