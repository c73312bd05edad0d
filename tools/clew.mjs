// npm run clew -- <command>
// Runs a command of operators, which works on the database or the broker, or else the command line for everybody.
import { isOperatorsCommand, runCommand } from '../libs/operator/src/run.ts';

const args = process.argv.slice(2);
const write = (text) => process.stdout.write(text);

if (isOperatorsCommand(args)) process.exitCode = await runCommand(args, { env: process.env, write });
else await import('../libs/cli/src/main.ts');
