import { describeUsage, isUsageError } from '@clew/runtime';
import type { Command, CommandContext } from './command.ts';
import { agentKeysCommand } from './commands/agent-keys.ts';
import { bootstrapCommand } from './commands/bootstrap.ts';
import { deadLettersCommand } from './commands/dead-letters.ts';
import { identityKeysCommand } from './commands/identity-keys.ts';
import { peopleCommand } from './commands/people.ts';
import { preflightCommand } from './commands/preflight.ts';
import { secretsCommand } from './commands/secrets.ts';

const COMMANDS: readonly Command[] = [
  bootstrapCommand,
  peopleCommand,
  deadLettersCommand,
  identityKeysCommand,
  agentKeysCommand,
  preflightCommand,
  secretsCommand,
];

/** Tells whether a command line is for operators: its command is theirs, and of `people` only what needs the database. */
export function isOperatorsCommand([name, action]: readonly string[]): boolean {
  return COMMANDS.some((command) => command.name === name && (name !== 'people' || action === 'reset-link'));
}

/** Runs one command; resolves with the exit code: 2 if it was called wrongly. */
export async function runCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  const [name, ...args] = argv;
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined) {
    context.write(help());
    return name === undefined || name === 'help' || name === '--help' ? 0 : 2;
  }
  try {
    return await command.run(args, context);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    context.write(describeUsage(error, `npm run clew -- ${command.usage}`));
    return 2;
  }
}

function help(): string {
  const lines = COMMANDS.map(({ usage, summary }) => `  ${usage}\n      ${summary}\n`);
  return `Usage: npm run clew -- <command>\n\n${lines.join('')}`;
}
