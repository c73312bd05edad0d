import { parseArgs } from 'node:util';
import { askRunningStack, resetStack, showLog, stopStack } from './cli/control-commands.ts';
import { runCommandLine, UsageError } from './cli/command-line.ts';
import { printFailure, reportFailure } from './cli/messages.ts';
import { startInBackground, startInForeground, superviseInBackground, type StartCommand } from './cli/start.ts';
import { createHome, homeDirectory } from './stack/home.ts';

const USAGE = `Usage:
  npm start [-- --detach]                start everything; --detach returns when it is ready
            [--built [--no-build]]       run what is built of the sources, as images do; --no-build takes it as it is
  npm run stop                           end it
  npm run stack -- status                show its processes
  npm run stack -- restart <app>         stop and start one application (or mongod, rabbitmq)
  npm run stack -- scale <app>=<count>   run several processes of an application
  npm run stack -- logs <app>            show the end of a log
  npm run stack -- reset [--all]         end it and remove its data; --all also what was unpacked for it

  CLEW_HOME  where data and logs are kept (.clew)       MONGO_URL  use this replica set
  CLEW_PORT  the gateway's port (8080)                  AMQP_URL   use this RabbitMQ
  CLEW_SEED  "none" skips the sample data and the       CLEW_CACHE where downloads are kept (~/.cache/clew)
             local models                               CLEW_LOCAL_MODEL  "off" skips the local models alone`;

// Time after which the process exits, even if something still keeps the event loop busy when the work is done.
const EXIT_GRACE_MS = 500;

async function runCommand(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      detach: { type: 'boolean', default: false },
      built: { type: 'boolean', default: false },
      'no-build': { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [command = 'help', name] = positionals;
  const env = process.env;
  const home = createHome(homeDirectory(env));
  const hasOtherApps = (env['CLEW_APPS_DIR'] ?? '') !== '';
  const start: StartCommand = {
    ...{ home, env },
    form: values.built || hasOtherApps ? 'built' : 'sources',
    build: !values['no-build'] && !hasOtherApps,
  };
  if (values.help) return showUsage();
  switch (command) {
    case 'start':
      return values.detach ? startInBackground(start) : startInForeground(start);
    case 'supervise':
      return superviseInBackground(start);
    case 'stop':
      await stopStack(home, env);
      return 0;
    case 'status':
      await askRunningStack(home, { command: 'status' });
      return 0;
    case 'restart':
      await askRunningStack(home, { command: 'restart', name: required(name, 'the name of an application') });
      return 0;
    case 'scale':
      await askRunningStack(home, { command: 'scale', ...parseScale(required(name, '<app>=<count>')) });
      return 0;
    case 'logs':
      showLog(home, required(name, 'the name of an application'));
      return 0;
    case 'reset':
      await resetStack(home, { everything: values.all, env });
      return 0;
    case 'help':
      return showUsage();
    default:
      throw new UsageError(`there is no command "${command}"`);
  }
}

function required(value: string | undefined, what: string): string {
  if (value === undefined) throw new UsageError(`${what} is missing`);
  return value;
}

function parseScale(text: string): { name: string; count: number } {
  const match = /^([a-z-]+)=(\d{1,2})$/.exec(text);
  if (match === null) throw new UsageError(`"${text}" is not <app>=<count>`);
  return { name: match[1] ?? '', count: Number(match[2]) };
}

function showUsage(): number {
  process.stdout.write(`${USAGE}\n`);
  return 0;
}

try {
  process.exitCode = await runCommandLine(USAGE, () => runCommand(process.argv.slice(2)));
} catch (error) {
  printFailure(reportFailure(error));
  process.exitCode = 1;
}
if (process.connected) process.disconnect();
setTimeout(() => process.exit(), EXIT_GRACE_MS).unref();
