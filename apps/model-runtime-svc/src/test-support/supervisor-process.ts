// node supervisor-process.ts SOCKET HOME: a supervisor of engines that are scripted.
import { createLogger } from '@clew/runtime';
import { createChildHost, superviseEngines } from '../engine-host/index.ts';

const [socketFile = '', home = ''] = process.argv.slice(2);
await superviseEngines({
  ...{ socketFile, home },
  host: createChildHost({ home }),
  mayRun: (file) => file === process.execPath || file === 'nvidia-smi',
  logger: createLogger({ service: 'engines', version: '0', level: 'silent' }),
});
process.stdout.write('waiting for an agent\n');
