import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { resolveConfig } from 'vite';

it('the build is one for production, whatever environment the process has that starts it', async () => {
  expect(process.env['NODE_ENV']).toBe('test');
  const configFile = join(import.meta.dirname, '../../vite.config.ts');
  expect((await resolveConfig({ configFile }, 'build')).isProduction).toBe(true);
});
