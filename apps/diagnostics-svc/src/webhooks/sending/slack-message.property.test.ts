import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PING, WEBHOOK_EVENT_TYPES } from '@clew/contracts';
import { harmless } from './harmless.ts';
import { letterOf } from './letter.ts';
import { slackMessage } from './slack-message.ts';

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<!channel>',
        '<!here|x>',
        '<@U012AB3CD>',
        '<https://evil.example|Sign in>',
        '@everyone',
        '@here',
      ),
      fc.constantFrom('*bold*', '`code`', '> quote', '\n', '\r\n', '\u202e', '\u2028', '&lt;!channel&gt;', '#general'),
      fc.constantFrom('http://evil.example/', 'www.evil.example', '[a](http://evil.example)', '\ud800', '~channel'),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

/** Reads entities as Slack does. */
function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

const PUBLIC_URL = 'https://clew.example/';

describe('words of others in a message', () => {
  it('hold nothing that Slack reads: no bracket, no bare ampersand, one line of bounded length', () => {
    fc.assert(
      fc.property(hostile, (words) => {
        const text = harmless(words);
        expect(text).not.toMatch(/[<>\n\r\u2028\u202e]/u);
        expect(text.replace(/&(?:amp|lt|gt);/g, '')).not.toContain('&');
        expect(text.isWellFormed()).toBe(true);
        expect(text.length).toBeLessThanOrEqual(300 * 5);
      }),
    );
  });

  it('mention nobody and format nothing where receivers read Markdown and names', () => {
    fc.assert(
      fc.property(hostile, (words) => {
        expect(harmless(words)).not.toMatch(/[@#!*_~`[\]()|\\](?!\u200b)/u);
        expect(harmless(words)).not.toMatch(/:\/\/|\p{L}\.\p{L}/u);
      }),
    );
  });

  it('stay what they were for the eye', () => {
    const words = 'Refund of 5 < 10 & more was said, never made';
    expect(decoded(harmless(words))).toBe(words);
  });
});

describe('a message', () => {
  it.each([...WEBHOOK_EVENT_TYPES, PING.type])('about %s is made of hostile values without their effect', (type) => {
    fc.assert(
      fc.property(hostile, (words) => {
        const data = Object.fromEntries(
          ['title', 'projectId', 'findingId', 'severity', 'provider', 'externalUrl', 'syncError', 'status', 'rate'].map(
            (name) => [name, words],
          ),
        );
        const { text, ...flags } = slackMessage(type, data, PUBLIC_URL);
        expect(text).not.toMatch(/[<>\n]/);
        expect(text).not.toMatch(/@(?!\u200b)/u);
        expect(flags).toEqual({ mrkdwn: false, link_names: false, unfurl_links: false, unfurl_media: false });
      }),
      { numRuns: 30 },
    );
  });

  it('names a Finding, and leaves the address of an issue whole', () => {
    const finding = { title: 'Said done, was not', findingId: 'fnd_1', severity: 'high' };
    const named = 'New Finding (high): Said done, was not (fnd_\u200b1)';
    expect(slackMessage('finding.created', finding, PUBLIC_URL).text).toBe(named);
    const page = 'https://clew.example/p/prj_1/findings/fnd_1';
    expect(slackMessage('finding.created', { ...finding, projectId: 'prj_1' }, PUBLIC_URL).text).toBe(
      `${named} - ${page}`,
    );
    const item = { provider: 'github', status: 'done', externalUrl: 'https://github.com/acme/shop/issues/12' };
    expect(slackMessage('work_item.changed', item, PUBLIC_URL).text).toBe(
      'Work item in github is done: https://github.com/acme/shop/issues/12',
    );
  });
});

describe('a letter', () => {
  it.each([...WEBHOOK_EVENT_TYPES, PING.type])(
    'about %s has one line for each event, and no link of others',
    (type) => {
      fc.assert(
        fc.property(hostile, (words) => {
          const data = { title: words, findingId: words, syncError: words, workItemId: words, provider: words };
          const events = [2, 1].map((at) => ({ eventId: `evt_${at}`, type, occurredAt: at * 60_000, data }));
          const { subject, text } = letterOf('ada@clew.example', events, PUBLIC_URL);
          const lines = text.split('\n');
          expect(lines.slice(0, 2).map((line) => line.slice(0, 16))).toEqual(['1970-01-01 00:01', '1970-01-01 00:02']);
          expect(lines).toHaveLength(5);
          expect(subject).toMatch(/^\[Clew\] .* and 1 more$/u);
          for (const shown of [subject, ...lines.slice(0, 2)]) {
            expect(shown.replaceAll(PUBLIC_URL, '')).not.toMatch(/:\/\/|\p{L}\.\p{L}|[\r\n]/u);
          }
        }),
        { numRuns: 30 },
      );
    },
  );
});
