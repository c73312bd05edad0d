import { describe, expect, it } from '@jest/globals';
import { useImages } from '../test-support/images.ts';

const current = useImages('gateway', 'cli');

describe('the image of the command line', () => {
  it('makes the first keys with the command of the gateway that it holds', async () => {
    const images = current();
    expect(await images.start('gateway', 'app/dist/migrate.js').ended).toBe(0);
    const cli = images.start('cli', 'app/dist/main.js', ['bootstrap', '--output', 'json']);
    expect(await cli.ended).toBe(0);
    expect(cli.output()).toContain('"apiKey":"clew_');
  });
});
