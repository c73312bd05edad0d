import { describe, expect, it } from '@jest/globals';
import {
  BaseUrl,
  GitHubDestination,
  GitLabDestination,
  JiraDestination,
  LinearDestination,
  TrackerConnection,
} from './connection.ts';

const TEAM_ID = '9cfb482a-81e3-4154-b5b9-2c805e70a02d';

describe('the base URL of a server', () => {
  it.each([
    ['https://github.example', 'https://github.example'],
    [' https://git.example/gitlab/// ', 'https://git.example/gitlab'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
  ])('%s', (given, url) => expect(BaseUrl.parse(given)).toBe(url));

  it.each([
    'https://github.example/api/v3',
    'https://git.example/api/v4/',
    'https://acme.atlassian.net/rest/api/3',
    'ftp://git.example',
    'https://user:password@git.example',
    'https://git.example/?x=1',
    'https://git.example/#x',
    'git.example',
    '',
  ])('is refused: %s', (given) => expect(BaseUrl.safeParse(given).success).toBe(false));
});

describe('a destination', () => {
  it.each([
    [GitHubDestination, { owner: 'acme-org', repo: 'shop.js' }],
    [GitLabDestination, { projectId: 'acme/web/shop' }],
    [GitLabDestination, { projectId: '42' }],
    [JiraDestination, { projectKey: 'SHOP' }],
    [JiraDestination, { projectKey: 'SHOP_2', issueType: 'Bug' }],
    [LinearDestination, { teamId: TEAM_ID }],
  ])('%# is taken as it is', (schema, given) => expect(schema.parse(given)).toEqual(given));

  it('of GitLab can be a number', () =>
    expect(GitLabDestination.parse({ projectId: 42 })).toEqual({ projectId: '42' }));

  it.each([
    [GitHubDestination, 'acme/shop'],
    [GitHubDestination, { owner: 'acme', repo: '..' }],
    [GitHubDestination, { owner: '../user', repo: 'shop' }],
    [GitHubDestination, { owner: 'acme', repo: 'shop', token: 'x' }],
    [GitLabDestination, { projectId: 'acme' }],
    [GitLabDestination, { projectId: '../../user' }],
    [GitLabDestination, { projectId: 'a/b?x=1' }],
    [JiraDestination, { projectKey: 'SHOP" OR project = "X' }],
    [LinearDestination, { teamId: 'ENG' }],
  ])('%# is refused: %j', (schema, given) => expect(schema.safeParse(given).success).toBe(false));
});

describe('a connection', () => {
  it('has the public servers where none is named, and needs the site of Jira', () => {
    const credentials = { token: 'secret' };
    expect(TrackerConnection.parse({ provider: 'github', credentials })).toMatchObject({
      baseUrl: 'https://github.com',
    });
    expect(TrackerConnection.parse({ provider: 'gitlab', credentials })).toMatchObject({
      baseUrl: 'https://gitlab.com',
    });
    expect(TrackerConnection.parse({ provider: 'linear', credentials })).toMatchObject({
      baseUrl: 'https://api.linear.app',
    });
    const jira = { provider: 'jira', credentials: { ...credentials, email: 'bot@acme.example' } };
    expect(TrackerConnection.safeParse(jira).success).toBe(false);
    expect(TrackerConnection.safeParse({ ...jira, baseUrl: 'https://acme.atlassian.net' }).success).toBe(true);
  });

  it('is refused with a token that a header cannot carry, without repeating it', () => {
    const result = TrackerConnection.safeParse({ provider: 'github', credentials: { token: 'top\nsecret' } });
    expect(result.success).toBe(false);
    expect(JSON.stringify(result.error)).not.toContain('secret');
  });
});
