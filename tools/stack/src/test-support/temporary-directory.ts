import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';

/**
 * Directory for one test file, removed after its last test. The path contains no symbolic links, so that paths compare
 * equal.
 */
export function useTemporaryDirectory(): () => string {
  let directory = '';
  beforeAll(() => {
    directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'clew-stack-test-')));
  });
  afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));
  return () => directory;
}
