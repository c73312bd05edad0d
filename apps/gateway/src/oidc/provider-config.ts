import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { MAX_MEMBERSHIPS, Name, ProjectId, ProviderId, Role } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import { ConfigError } from '@clew/runtime';

const MAX_PROVIDERS = 20;
const MAX_GROUPS = 500;
const MAX_DOMAINS = 100;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const Issuer = z.url({ protocol: /^https?$/ }).refine((url) => {
  const { protocol, hostname, search, hash } = new URL(url);
  return search === '' && hash === '' && (protocol === 'https:' || LOOPBACK.has(hostname));
}, 'must be https without query, or http at a loopback address');

const Scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'must be a scope');
const Domain = z
  .string()
  .max(253)
  .regex(/^[a-z0-9.-]+$/, 'must be a domain in lower case');

const MappedRole = z.strictObject({ project: ProjectId, role: Role });
export type MappedRole = z.infer<typeof MappedRole>;

const RoleMapping = z.strictObject({
  /** Claim with the groups of a person: a text or a list of them. */
  claim: z.string().min(1).max(200).default('groups'),
  /** Roles by group. */
  map: z
    .record(z.string().min(1).max(500), z.array(MappedRole).max(MAX_MEMBERSHIPS))
    .refine((map) => Object.keys(map).length <= MAX_GROUPS, `must have at most ${MAX_GROUPS} groups`),
});

const Provider = z
  .strictObject({
    id: ProviderId,
    name: Name,
    issuer: Issuer,
    clientId: z.string().min(1).max(500),
    /** File with the client's secret, from the folder of this file; a client without one is public. */
    clientSecretFile: z.string().min(1).max(1_000).optional(),
    scopes: z.array(Scope).max(50).default(['openid', 'email', 'profile']),
    /** Policy for those who have no account: the invited alone, addresses of some domains, people with a mapped role. */
    signUp: z.enum(['invited', 'domain', 'mapped']).default('invited'),
    allowedDomains: z.array(Domain).max(MAX_DOMAINS).default([]),
    roleMapping: RoleMapping.optional(),
  })
  .refine(({ scopes }) => scopes.includes('openid'), { path: ['scopes'], message: 'must include openid' })
  .refine(({ signUp, allowedDomains }) => (signUp === 'domain') === allowedDomains.length > 0, {
    path: ['allowedDomains'],
    message: 'must be there for "signUp": "domain", and only for that',
  })
  .refine(({ signUp, roleMapping }) => signUp !== 'mapped' || roleMapping !== undefined, {
    path: ['roleMapping'],
    message: 'must be there for "signUp": "mapped"',
  });

const isUnique = (values: readonly string[]) => new Set(values).size === values.length;

/** Form of the file that `OIDC_PROVIDERS_FILE` names. */
const ProvidersFile = z.strictObject({
  providers: z
    .array(Provider)
    .min(1)
    .max(MAX_PROVIDERS)
    .refine((providers) => isUnique(providers.map(({ id }) => id)), 'must not have an id twice')
    .refine((providers) => isUnique(providers.map(({ issuer, clientId }) => `${issuer} ${clientId}`)), {
      message: 'must not have a client of an issuer twice',
    }),
});

/** Sign-in provider as configured, with its secret. */
export type OidcProvider = z.infer<typeof Provider> & { clientSecret: string | undefined };

/** Reads the providers of a file; throws ConfigError, which names places and never values. */
export function readProviders(file: string): OidcProvider[] {
  const parsed = ProvidersFile.safeParse(readFile(file));
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(({ path, message }) => `OIDC_PROVIDERS_FILE: ${path.join('.')}: ${message}`),
    );
  }
  return parsed.data.providers.map((provider) => ({
    ...provider,
    clientSecret:
      provider.clientSecretFile === undefined
        ? undefined
        : readSecret(resolve(dirname(file), provider.clientSecretFile), provider.id),
  }));
}

function readFile(file: string): unknown {
  try {
    return readJson(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError([`OIDC_PROVIDERS_FILE: ${error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'}`]);
  }
}

function readSecret(file: string, id: string): string {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    if (secret !== '') return secret;
  } catch {
    throw new ConfigError([`OIDC_PROVIDERS_FILE: the clientSecretFile of ${id} cannot be read`]);
  }
  throw new ConfigError([`OIDC_PROVIDERS_FILE: the clientSecretFile of ${id} is empty`]);
}
