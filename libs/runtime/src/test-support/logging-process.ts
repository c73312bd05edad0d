// Process for the tests of the log: it logs numbered lines, and ends as its argument says, or not at all.
import { createLogger } from '../logger.ts';

const [ending = '', count = '0'] = process.argv.slice(2);
const logger = createLogger({ service: 'test', version: '0', level: 'info' });
for (let number = 0; number < Number(count); number += 1)
  logger.info({ number, text: 'ü'.repeat(number % 40) }, 'line');

switch (ending) {
  case 'runs out':
    break;
  case 'exits':
    process.exit(3);
    break;
  case 'throws':
    throw new Error('nobody catches this');
  case 'flushes':
    logger.flush(() => process.kill(process.pid, 'SIGKILL'));
    break;
  case 'fatal':
    logger.fatal({ number: Number(count) }, 'line');
    process.kill(process.pid, 'SIGKILL');
    break;
  default:
    setInterval(() => undefined, 1_000);
}
