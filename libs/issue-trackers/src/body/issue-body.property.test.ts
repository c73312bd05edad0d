import { describe, expect, it } from '@jest/globals';
import { quickActionsIn } from '@clew/testing/issue-trackers';
import draft04 from 'ajv-draft-04';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { findingFacts } from '../test-support/finding-facts.ts';
import { hostileText, OTHER_MARKER } from '../test-support/hostile-text.ts';
import { nodesOf, parseMarkdown, textOf } from '../test-support/markdown-nodes.ts';
import { MARKER } from '../test-support/trackers.ts';
import { textsOf, toAdf } from '../text/adf.ts';
import { quotedLines } from '../text/markdown.ts';
import { hasMarker, toMarkedMarkdown, withReference } from '../text/marked.ts';
import { issueTitle } from '../text/title.ts';
import { issueBody, type FindingFacts } from './issue-body.ts';

const KNOWN_HEADINGS = new Set(['Evidence', 'How to reproduce']);
const HIDDEN_MARKER = `<!-- clew:${MARKER} -->`;
/** References as the providers look for them in rendered text. */
const REFERENCES: Readonly<Record<string, RegExp>> = {
  mention: /@[\w-]/,
  issue: /#\d/,
  key: /[A-Za-z0-9_]-\d/,
  'reference of GitLab': /[!$&%~^][\w"]/,
  'reference with its type': /\[(?:issue|work_item|epic|vulnerability):/,
  address: /:\/\/|\bwww\./i,
  commit: /(?<![0-9a-zA-Z])[0-9a-f]{7,40}(?![0-9a-zA-Z])/,
};

const hostileFacts: fc.Arbitrary<FindingFacts> = fc
  .record({
    title: hostileText,
    summary: hostileText,
    causeAssessment: hostileText,
    remediationHint: hostileText,
    conversationId: hostileText,
    evidence: fc.array(
      fc.record({ title: hostileText, summary: hostileText, quotes: fc.array(hostileText, { maxLength: 3 }) }),
      {
        maxLength: 6,
      },
    ),
  })
  .map(({ conversationId, evidence, ...texts }) => {
    const { diagnosticAnchor, evidence: usual } = findingFacts();
    return findingFacts({
      ...texts,
      diagnosticAnchor: { ...diagnosticAnchor, conversationId },
      evidence: evidence.map(({ quotes, ...item }) => ({
        ...usual[0]!,
        ...item,
        location: { ...usual[0]!.location, quotes: quotes.map((quote) => ({ quote })) },
      })),
    });
  });

const { default: adf } = await import('@atlaskit/adf-schema/dist/json-schema/v1/full.json', { with: { type: 'json' } });
const isAdf = new draft04.default({ strict: false }).compile(adf);
const linkifier = new MarkdownIt({ html: true, linkify: true });

describe('the body of an issue in Markdown, whatever a conversation says', () => {
  it('has the structure that was meant, for the grammar of GitHub', () => {
    fc.assert(
      fc.property(hostileFacts, (facts) => {
        const tree = parseMarkdown(toMarkedMarkdown(issueBody(facts), MARKER));
        expect(nodesOf(tree, 'html').map(({ value }) => value)).toEqual([HIDDEN_MARKER]);
        expect(nodesOf(tree, 'link').map(({ url }) => url)).toEqual([facts.url]);
        expect(nodesOf(tree, 'heading').filter((heading) => !KNOWN_HEADINGS.has(textOf(heading)))).toEqual([]);
        const forbidden = [
          'image',
          'imageReference',
          'linkReference',
          'definition',
          'footnoteReference',
          'table',
          'delete',
          'emphasis',
          'thematicBreak',
          'footnoteDefinition',
          'break',
        ];
        for (const type of forbidden) expect(nodesOf(tree, type)).toEqual([]);
        expect(nodesOf(tree, 'list')).toHaveLength(1);
      }),
      { numRuns: 400 },
    );
  });

  it('shows quotes as they are, in code that they cannot leave', () => {
    fc.assert(
      fc.property(hostileFacts, (facts) => {
        const tree = parseMarkdown(toMarkedMarkdown(issueBody(facts), MARKER));
        const quotes = facts.evidence.slice(0, 4).flatMap(({ location }) => location.quotes.slice(0, 2));
        const shown = quotes.map(({ quote }) => quotedLines(quote).join('\n')).filter((text) => text !== '');
        expect(nodesOf(tree, 'blockquote').map(({ children }) => children?.map(({ type }) => type))).toEqual(
          shown.map(() => ['code']),
        );
        expect(nodesOf(tree, 'code').map(({ value }) => value)).toEqual(shown);
      }),
      { numRuns: 400 },
    );
  });

  it('mentions nobody, refers to nothing and links nothing in its prose', () => {
    fc.assert(
      fc.property(hostileFacts, (facts) => {
        const tree = parseMarkdown(toMarkedMarkdown(issueBody(facts), MARKER));
        const texts = nodesOf(tree, 'text').map(textOf);
        for (const [name, pattern] of Object.entries(REFERENCES)) {
          expect({ name, found: texts.filter((text) => pattern.test(text)) }).toEqual({ name, found: [] });
        }
      }),
      { numRuns: 400 },
    );
  });

  it('has one link for a parser that makes links of bare domains, and no HTML but the marker', () => {
    fc.assert(
      fc.property(hostileFacts, (facts) => {
        const tokens = linkifier.parse(toMarkedMarkdown(issueBody(facts), MARKER), {});
        const all = tokens.flatMap((token) => [token, ...(token.children ?? [])]);
        const links = all.filter(({ type }) => type === 'link_open').map((token) => token.attrGet('href'));
        expect(links).toEqual([facts.url]);
        const html = all.filter(({ type }) => type.startsWith('html_')).map(({ content }) => content.trim());
        expect(html).toEqual([HIDDEN_MARKER]);
        expect(all.filter(({ type }) => type === 'image')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('has no quick action of GitLab, whose reader knows less about code than its renderer', () => {
    expect(quickActionsIn('````text\n```\n/close\n````')).toHaveLength(1);
    fc.assert(
      fc.property(hostileFacts, (facts) => {
        const markdown = toMarkedMarkdown(issueBody(facts), MARKER);
        expect(quickActionsIn(markdown)).toEqual([]);
        expect(markdown.split('\n').filter((line) => line.startsWith('/'))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('has its own marker, and never that of another work item', () => {
    fc.assert(
      fc.property(hostileFacts, (facts) => {
        const markdown = toMarkedMarkdown(issueBody(facts), MARKER);
        expect([hasMarker(markdown, MARKER), hasMarker(markdown, OTHER_MARKER)]).toEqual([true, false]);
      }),
      { numRuns: 400 },
    );
  });
});

describe('the body of an issue for Jira, whatever a conversation says', () => {
  it('is a valid document, with the nodes that were meant and one link', () => {
    fc.assert(
      fc.property(hostileFacts, (facts) => {
        const document = JSON.parse(JSON.stringify(toAdf(withReference(issueBody(facts), MARKER)))) as unknown;
        expect([isAdf(document), isAdf.errors]).toEqual([true, null]);
        const json = JSON.stringify(document);
        expect(new Set(json.match(/"type":"[a-zA-Z]+"(?=[,}])/g))).toEqual(new Set(json.match(KNOWN_TYPES)));
        expect(json.match(/"type":"link"/g)).toHaveLength(1);
        expect(textsOf(document)).toContain(MARKER);
        expect(textsOf(document)).not.toContain(OTHER_MARKER);
      }),
      { numRuns: 400 },
    );
  });
});

const KNOWN_TYPES = /"type":"(?:doc|heading|paragraph|text|strong|code|link|codeBlock|orderedList|listItem)"(?=[,}])/g;

describe('the title of an issue', () => {
  it('is one short line without references', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const title = issueTitle(text);
        expect(title).toMatch(/^\S.{0,199}$/u);
        expect(title.length).toBeLessThanOrEqual(200);
        for (const pattern of Object.values(REFERENCES)) expect(title).not.toMatch(pattern);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the size of an issue', () => {
  it.each(['&', '@', '"', '`', '\\', 'a\n', '<', '😀', '#1 '])(
    'is below the limits of all providers, for texts full of %j',
    (piece) => {
      const [text, { evidence, diagnosticAnchor }] = [piece.repeat(20_000), findingFacts()];
      const item = { ...evidence[0]!, title: text, summary: text };
      const quotes = Array.from({ length: 9 }, () => ({ quote: text }));
      const facts = findingFacts({
        ...{ title: text, summary: text, causeAssessment: text, remediationHint: text },
        diagnosticAnchor: { ...diagnosticAnchor, conversationId: text },
        evidence: Array.from({ length: 30 }, () => ({ ...item, location: { ...item.location, quotes } })),
      });
      expect(toMarkedMarkdown(issueBody(facts), MARKER).length).toBeLessThan(65_536);
      expect(JSON.stringify(toAdf(withReference(issueBody(facts), MARKER))).length).toBeLessThan(32_767);
      expect(issueTitle(text).length).toBeLessThanOrEqual(200);
    },
  );
});
