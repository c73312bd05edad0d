import { describe, expect, it } from '@jest/globals';
import { scriptArguments } from './app-programs.ts';

describe('a script of an application', () => {
  it('runs from source, with libraries as sources, or as it was built', () => {
    const begin = (form: 'sources' | 'built') =>
      scriptArguments({ appsDirectory: '/clew/apps', form }, 'gateway', 'main');
    expect(begin('sources')).toEqual(['--conditions=clew-source', '/clew/apps/gateway/src/main.ts']);
    expect(begin('built')).toEqual(['/clew/apps/gateway/dist/main.js']);
  });
});
