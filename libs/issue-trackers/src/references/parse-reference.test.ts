import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PROVIDERS } from '../tracker/connection.ts';
import { parseReference } from './parse-reference.ts';

const GITHUB = {
  provider: 'github',
  baseUrl: 'https://github.com',
  destination: { owner: 'acme', repo: 'shop' },
} as const;
const GITLAB = { provider: 'gitlab', baseUrl: 'https://git.example/gitlab', destination: { projectId: '42' } } as const;
const JIRA = { provider: 'jira', baseUrl: 'https://acme.atlassian.net', destination: undefined } as const;
const LINEAR = { provider: 'linear', baseUrl: 'https://api.linear.app', destination: undefined } as const;
const UUID = '9cfb482a-81e3-4154-b5b9-2c805e70a02d';

describe('the reference of an issue', () => {
  it.each([
    [GITHUB, 'https://github.com/acme/shop/issues/12', 'acme/shop#12'],
    [GITHUB, ' https://www.github.com/acme/shop.js/issues/12/?x=1#issuecomment-5 ', 'acme/shop.js#12'],
    [GITHUB, 'acme/other#7', 'acme/other#7'],
    [GITHUB, '#7', 'acme/shop#7'],
    [GITHUB, '7', 'acme/shop#7'],
    [GITLAB, 'https://git.example/gitlab/acme/web/shop/-/issues/12', 'acme/web/shop#12'],
    [GITLAB, 'https://git.example/gitlab/acme/shop/issues/12', 'acme/shop#12'],
    [GITLAB, 'https://git.example/gitlab/acme/shop/-/work_items/12', 'acme/shop#12'],
    [GITLAB, 'acme/web/shop#3', 'acme/web/shop#3'],
    [GITLAB, '#3', '42#3'],
    [JIRA, 'https://acme.atlassian.net/browse/SHOP-12', 'SHOP-12'],
    [JIRA, 'https://acme.atlassian.net/jira/software/projects/SHOP/boards/1?selectedIssue=SHOP-12', 'SHOP-12'],
    [JIRA, 'shop-12', 'SHOP-12'],
    [LINEAR, 'https://linear.app/acme/issue/ENG-123/a-title', 'ENG-123'],
    [LINEAR, 'https://linear.app/acme/issue/ENG-123', 'ENG-123'],
    [LINEAR, 'eng-123', 'ENG-123'],
    [LINEAR, UUID, UUID],
  ])('%j: %s', (connection, text, externalId) => {
    expect(parseReference(text, connection)).toEqual({ ok: true, externalId });
  });

  it.each([
    [GITHUB, 'https://github.com/acme/shop/pull/12'],
    [GITHUB, 'https://github.com/acme/../issues/12'],
    [GITHUB, 'acme/..#1'],
    [GITHUB, '#0'],
    [{ ...GITHUB, destination: undefined }, '#12'],
    [GITLAB, 'https://git.example/gitlab/acme/shop/-/merge_requests/12'],
    [JIRA, 'https://acme.atlassian.net/browse/'],
    [JIRA, 'SHOP'],
    [LINEAR, 'https://linear.app/acme/project/x'],
    [LINEAR, ''],
    [GITHUB, 'https://'],
  ])('is none in %j: %s', (connection, text) => {
    expect(parseReference(text, connection)).toMatchObject({ ok: false });
  });

  it.each([
    [GITHUB, 'https://github.com.evil.example/acme/shop/issues/12'],
    [GITHUB, 'https://gitlab.com/acme/shop/issues/12'],
    [GITLAB, 'https://git.example/gitlabs/acme/shop/-/issues/12'],
    [JIRA, 'https://other.atlassian.net/browse/SHOP-12'],
    [LINEAR, 'https://api.linear.app/acme/issue/ENG-123'],
  ])('belongs to another server for %j: %s', (connection, text) => {
    expect(parseReference(text, connection)).toEqual({ ok: false, message: expect.stringContaining('another server') });
  });

  it('never leads to a rejection, whatever is given', () => {
    const connections = fc.constantFrom(GITHUB, GITLAB, JIRA, LINEAR);
    expect(PROVIDERS).toHaveLength(4);
    const texts = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.string().map((path) => `https://github.com/${path}`),
    );
    fc.assert(fc.property(connections, texts, (connection, text) => parseReference(text, connection).ok !== undefined));
  });
});
