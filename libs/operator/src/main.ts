import { runCommand } from './run.ts';

const code = await runCommand(process.argv.slice(2), {
  env: process.env,
  write: (text) => process.stdout.write(text),
});
if (code !== 0) process.exitCode = code;
