import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { allMessages } from '../all-messages.ts';
import { SERVICE_NAMES } from '../services.ts';
import { envelopeSchema, routingKeyOf } from './envelope.ts';

const FOLDER = join(import.meta.dirname, 'examples');
const messages = allMessages();

/** Reads a message as a process of that version sent it: a copy may still be in a queue. */
function exampleOf(routingKey: string): unknown {
  return JSON.parse(readFileSync(join(FOLDER, `${routingKey}.json`), 'utf8'));
}

describe.each(messages.map((spec) => [routingKeyOf(spec), spec] as const))('%s', (routingKey, spec) => {
  it('is read as it was sent when the version was new, and nothing of it is lost', () => {
    const example = exampleOf(routingKey);
    expect(envelopeSchema(spec).parse(example)).toEqual(example);
  });

  it('is published by somebody', () => {
    expect(spec.publishedBy.length).toBeGreaterThan(0);
    expect(SERVICE_NAMES).toEqual(expect.arrayContaining([...spec.publishedBy]));
  });
});

it('no version that was ever sent is forgotten: each example has its message', () => {
  const known = messages.map((spec) => `${routingKeyOf(spec)}.json`);
  expect(known.toSorted()).toEqual(readdirSync(FOLDER).toSorted());
});
