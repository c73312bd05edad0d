// Usage: node supervisor-process.ts SOCKET HOME. Runs a supervisor of scripted engines.
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
