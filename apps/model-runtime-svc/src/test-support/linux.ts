import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';

/** What rests on /proc, which is Linux' own. */
export const describeOnLinux = existsSync('/proc/self/stat') ? describe : describe.skip;
