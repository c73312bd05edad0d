import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../document.ts';
import { breaksOf, type ApiDescription } from './document-breaks.ts';

const FOLDER = join(import.meta.dirname, '../../../../../docs/openapi');
const RELEASED = readdirSync(FOLDER).filter((name) => /^v\d+\.\d+\.\d+\.json$/.test(name));
const current = JSON.parse(JSON.stringify(openApiDocument())) as ApiDescription;

/** Differences that break nobody: a contract had announced them, or described as a text what was a number all along. */
const NO_BREAKS: Readonly<Record<string, RegExp>> = {
  // A Finding's `workItem` was null, and described as "The primary work item, or null".
  'v0.1.0.json': /workItem: may be object now$|query minDiagnosticScore: was string, is number$/,
};

it('the first released contract is kept', () => {
  expect(RELEASED).toContain('v0.1.0.json');
});

describe.each(RELEASED)('docs/openapi/%s', (name) => {
  const released = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as ApiDescription;

  it('is kept by the API of today: whoever was written for it goes on', () => {
    const noBreaks = NO_BREAKS[name];
    expect(breaksOf(released, current).filter((each) => noBreaks?.test(each) !== true)).toEqual([]);
  });
});
