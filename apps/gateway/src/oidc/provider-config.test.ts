import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '@clew/runtime';
import { readProviders } from './provider-config.ts';

const GOOD = { id: 'okta', name: 'Okta', issuer: 'https://acme.okta.example', clientId: 'clew' };

function fileOf(content: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), 'providers-')), 'providers.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

function problemOf(content: unknown): string {
  try {
    readProviders(fileOf(content));
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

describe('the file of sign-in providers', () => {
  it('needs an id, a name, an issuer and a client, and lets in the invited', () => {
    expect(readProviders(fileOf({ providers: [GOOD] }))).toEqual([
      {
        ...GOOD,
        scopes: ['openid', 'email', 'profile'],
        signUp: 'invited',
        allowedDomains: [],
        clientSecret: undefined,
      },
    ]);
  });

  it('names the file of a secret from its own folder, whose line break does not belong to it', () => {
    const file = fileOf({ providers: [{ ...GOOD, clientSecretFile: 'secret' }] });
    writeFileSync(join(file, '../secret'), 'hunter2\n');
    expect(readProviders(file)[0]?.clientSecret).toBe('hunter2');
  });

  it.each<[string, object, string]>([
    ['plain http elsewhere than at loopback', { issuer: 'http://acme.example' }, 'providers.0.issuer'],
    ['another scheme', { issuer: 'ftp://acme.example' }, 'providers.0.issuer'],
    ['scopes without openid', { scopes: ['email'] }, 'providers.0.scopes'],
    ['a policy by domain without domains', { signUp: 'domain' }, 'providers.0.allowedDomains'],
    ['domains without that policy', { allowedDomains: ['corp.example'] }, 'providers.0.allowedDomains'],
    ['a policy by role without a mapping', { signUp: 'mapped' }, 'providers.0.roleMapping'],
    [
      'an unknown role',
      { roleMapping: { map: { a: [{ project: 'prj_1', role: 'owner' }] } } },
      'providers.0.roleMapping',
    ],
    ['an unknown member', { clientSecret: 'hunter2' }, 'providers.0'],
    ['a missing secret', { clientSecretFile: 'nothing' }, 'clientSecretFile of okta cannot be read'],
    ['an id that is no part of a path', { id: 'Okta/1' }, 'providers.0.id'],
  ])('is refused with %s, and the problem tells no value', (_name, more, told) => {
    const problem = problemOf({ providers: [{ ...GOOD, ...more }] });
    expect(problem).toContain(told);
    expect(problem).not.toContain('hunter2');
  });

  it.each<[string, unknown, string]>([
    ['what is no JSON', '{"secret": hunter2', 'is not JSON'],
    ['no provider', { providers: [] }, 'providers'],
    ['an id twice', { providers: [GOOD, { ...GOOD, clientId: 'other' }] }, 'an id twice'],
    ['a client twice', { providers: [GOOD, { ...GOOD, id: 'other' }] }, 'a client of an issuer twice'],
  ])('is refused with %s', (_name, content, told) => {
    expect(problemOf(content)).toContain(told);
    expect(problemOf(content)).not.toContain('hunter2');
  });

  it('is refused if it is not there', () => {
    expect(() => readProviders('/nowhere/providers.json')).toThrow('OIDC_PROVIDERS_FILE: cannot be read');
  });
});
