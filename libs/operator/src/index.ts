export type { Command, CommandContext } from './command.ts';
export { runCommand } from './run.ts';
