import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DatasetChange, NewDataset } from '../datasets/datasets.ts';
import { NewApiKey } from '../identity/api-keys.ts';
import { NewProject } from '../identity/projects.ts';
import { NewScore } from '../telemetry/conversations.ts';

const dataset = (fields: object) => ({ name: 'x', schema: { type: 'chat', version: 1 }, ...fields });
const score = (fields: object) => ({ name: 'x', value: 1, source: 'user', ...fields });

const names = {
  'of a Dataset': (name: string) => NewDataset.safeParse(dataset({ name })),
  'of a Dataset, changed': (name: string) => DatasetChange.safeParse({ name }),
  'of a project': (name: string) => NewProject.safeParse({ name }),
  'of an API key': (name: string) => NewApiKey.safeParse({ name, scopes: ['workspace:read'] }),
  'of a score': (name: string) => NewScore.safeParse(score({ name })),
};
const texts = {
  'description of a Dataset': (description: string) => NewDataset.safeParse(dataset({ description })),
  'description of a Dataset, changed': (description: string) => DatasetChange.safeParse({ description }),
  'comment of a score': (comment: string) => NewScore.safeParse(score({ comment })),
  'value of a score': (value: string) => NewScore.safeParse(score({ value })),
};

const character = fc.oneof(
  fc.constantFrom(
    '\u0000',
    '\t',
    '\n',
    '\r',
    '\u001b',
    '\u007f',
    '\u0085',
    '\u009f',
    '\ud800',
    '\udc00',
    '\ufffd',
    '\u{1f600}',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
);
const within = fc.tuple(character, character).map((pair) => `a${pair.join('')}b`);

describe('a name', () => {
  it.each(Object.entries(names))('%s is well-formed text without control characters', (_what, parse) => {
    fc.assert(
      fc.property(within, (name) => {
        expect(parse(name).success).toBe(name.isWellFormed() && !/\p{Cc}/u.test(name));
      }),
    );
  });

  it.each(Object.entries(names))('%s is kept without the spaces around it', (_what, parse) => {
    expect(parse(' \n a b ')).toMatchObject({ success: true, data: { name: 'a b' } });
    expect(parse(' ').success).toBe(false);
  });
});

describe('a text', () => {
  it.each(Object.entries(texts))(
    '%s may have line breaks and tabs, and no other control characters',
    (_what, parse) => {
      fc.assert(
        fc.property(within, (text) => {
          const shown = text.replaceAll(/[\t\n\r]/g, '');
          expect(parse(text).success).toBe(text.isWellFormed() && !/\p{Cc}/u.test(shown));
        }),
      );
    },
  );

  it('is kept as it is', () => {
    const description = ' One line.\r\n\n\tAnother. \u{1f600} ';
    expect(DatasetChange.parse({ description })).toEqual({ description });
  });
});
