import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readServiceInfo } from './service-info.ts';

describe('readServiceInfo', () => {
  it('takes the version from the package of the app', () => {
    const folder = mkdtempSync(join(tmpdir(), 'clew-info-'));
    writeFileSync(join(folder, 'package.json'), '{"version":"4.5.6"}');
    expect(readServiceInfo(folder, { service: 'some-svc', deploymentTarget: 'edge' })).toMatchObject({
      service: 'some-svc',
      version: '4.5.6',
      deploymentTarget: 'edge',
    });
    rmSync(folder, { recursive: true });
  });
});
