import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';

/** Suite for tests that need /proc, which only Linux has. */
export const describeOnLinux = existsSync('/proc/self/stat') ? describe : describe.skip;
