import { createSecretKey, randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { deriveSecret, newId, systemClock } from '@clew/kernel';
import { EmailAddress, SCOPES } from '@clew/contracts';
import type { Database, Transaction } from '@clew/persistence';
import { loadConfig, startService, UsageError } from '@clew/runtime';
import { newApiKey, projectOf } from './api-keys/api-key.ts';
import { createApiKeyStore } from './api-keys/api-keys.store.ts';
import { hashKey, newKeySecret, startOfKey } from './api-keys/key-format.ts';
import { createAuditLog } from './audit/audit.ts';
import { GatewayConfig } from './config.ts';
import { createPasswordHasher } from './passwords/password-hasher.ts';
import { createUserStore } from './people/users.store.ts';
import { createProjectStore } from './projects/projects.store.ts';
import { insertWorkspace, joinWorkspace } from './projects/workspaces.ts';
import { commandVariables, withDatabase } from './server-command.ts';
import { newOwner } from './sign-in/first-owner.ts';
import { createOneTimeLinkStore } from './sign-in/one-time-links.store.ts';

const Config = z.object({
  ...commandVariables,
  API_KEY_ENVIRONMENT: GatewayConfig.shape.API_KEY_ENVIRONMENT,
});
type Config = z.infer<typeof Config>;

const USAGE =
  'bootstrap [--workspace NAME] [--project NAME] [--second-project NAME] [--admin EMAIL] [--output text|json]';

const PASSWORD_BYTES = 18;

export interface BootstrapResult {
  workspaceId: string;
  projectId: string;
  /** Key with all scopes, for the first project. */
  apiKey: string;
  otherProjectId: string | null;
  otherApiKey: string | null;
  /** Key with all scopes, for all projects of the workspace. */
  adminApiKey: string;
  /** Owner of the workspace, if one is wanted, and the password that was made up for them. */
  adminEmail?: string;
  adminPassword?: string;
}

type BootstrapConfig = Pick<Config, 'AUTH_SECRET' | 'API_KEY_ENVIRONMENT'>;

interface ProjectNames {
  project: string;
  secondProject: string | undefined;
}

/**
 * Creates a project and keys: the way in before any key exists. They belong to the workspace of the deployment, which is
 * created if there is none yet; an owner who has set it up by a browser finds them there.
 */
export async function bootstrap(
  database: Database,
  config: BootstrapConfig,
  names: ProjectNames & { workspace: string; admin?: string | undefined },
): Promise<BootstrapResult> {
  const admin = names.admin === undefined ? undefined : await newAdmin(names.admin);
  const links = createOneTimeLinkStore(database);
  await links.prepareGuard(systemClock.now());
  return await database.withTransaction(async (tx) => {
    // A set-up at the same moment would make a second workspace.
    await links.guardFirst(tx);
    const workspaceId =
      (await joinWorkspace(tx, database, config.AUTH_SECRET)) ??
      (await insertWorkspace(tx, database, { name: names.workspace, authSecret: config.AUTH_SECRET }));
    if (admin !== undefined) await createMaker(database, config, workspaceId).owner(tx, admin);
    const made = await fillWorkspace(tx, { database, config, workspaceId }, names);
    return admin === undefined ? made : { ...made, adminEmail: admin.email, adminPassword: admin.password };
  });
}

/** Creates projects and keys in a workspace. */
export async function fillWorkspace(
  tx: Transaction,
  { database, config, workspaceId }: { database: Database; config: BootstrapConfig; workspaceId: string },
  { project, secondProject }: ProjectNames,
): Promise<BootstrapResult> {
  const maker = createMaker(database, config, workspaceId);
  const projectId = await maker.project(tx, project);
  const otherProjectId = secondProject === undefined ? null : await maker.project(tx, secondProject);
  return {
    workspaceId,
    projectId,
    apiKey: await maker.key(tx, `${project} key`, [projectId]),
    otherProjectId,
    otherApiKey: otherProjectId === null ? null : await maker.key(tx, `${secondProject} key`, [otherProjectId]),
    adminApiKey: await maker.key(tx, 'workspace key', 'all'),
  };
}

interface Admin {
  email: string;
  password: string;
  passwordHash: string;
}

/** Makes up a password for an owner; it is shown once, and only its hash is stored. */
async function newAdmin(email: string): Promise<Admin> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const hasher = createPasswordHasher({ maxAtOnce: 1, maxWaiting: 1 });
  return { email, password, passwordHash: await hasher.hash(password) };
}

function createMaker(database: Database, config: BootstrapConfig, workspaceId: string) {
  const projects = createProjectStore(database);
  const apiKeys = createApiKeyStore(database);
  const users = createUserStore(database);
  const audit = createAuditLog(database);
  const pepper = createSecretKey(deriveSecret(config.AUTH_SECRET, 'key-pepper/v1'));
  const actor = {
    id: 'bootstrap',
    workspaceId,
    scopes: SCOPES,
    projectIds: 'all' as const,
    expiresAt: null,
    userId: null,
  };
  const deed = {
    workspaceId,
    actor: { kind: 'bootstrap' as const, id: actor.id },
    address: null,
    requestId: newId('req'),
    before: null,
  };
  return {
    async owner(tx: Transaction, { email, passwordHash }: Admin): Promise<void> {
      const now = systemClock.now();
      const name = email.split('@', 1)[0] ?? email;
      const owner = newOwner(workspaceId, { email, name, passwordHash }, now);
      if ((await users.findByEmail(email, tx)) !== undefined) throw new UsageError('--admin: the address is taken');
      await users.insert(tx, owner);
      const target = { kind: 'person' as const, id: owner.id };
      const entry = { action: 'person.created', projectId: null, target, after: { owner: true }, at: now } as const;
      await audit.append(tx, { ...deed, ...entry });
    },
    async project(tx: Transaction, name: string): Promise<string> {
      const now = systemClock.now();
      const id = newId('prj');
      await projects.insert(tx, { id, workspaceId, name, createdAt: now, updatedAt: now });
      const target = { kind: 'project' as const, id };
      await audit.append(tx, { ...deed, action: 'project.created', projectId: id, target, after: { name }, at: now });
      return id;
    },
    async key(tx: Transaction, name: string, projectIds: 'all' | string[]): Promise<string> {
      const secret = newKeySecret(config.API_KEY_ENVIRONMENT);
      const stored = { hash: hashKey(pepper, secret), start: startOfKey(secret) };
      const now = systemClock.now();
      const key = newApiKey(actor, { name, scopes: [...SCOPES], projectIds, expiresAt: null }, stored, now);
      await apiKeys.insert(tx, key);
      const about = { projectId: projectOf(key), target: { kind: 'api-key' as const, id: key.id } };
      await audit.append(tx, { ...deed, ...about, action: 'api-key.created', after: { name }, at: now });
      return secret;
    },
  };
}

function print(result: BootstrapResult, output: string): void {
  const lines = Object.entries(result).map(([name, value]) => `${name}: ${value ?? '-'}`);
  process.stdout.write(`${output === 'json' ? JSON.stringify(result) : lines.join('\n')}\n`);
}

if (import.meta.main) {
  await startService(async () => {
    const { values } = parseArgs({
      options: {
        workspace: { type: 'string', default: 'Workspace' },
        project: { type: 'string', default: 'Project' },
        'second-project': { type: 'string' },
        admin: { type: 'string' },
        output: { type: 'string', default: 'text' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(`Usage: ${USAGE}\n`);
      return;
    }
    if (!['text', 'json'].includes(values.output)) throw new UsageError(`there is no output "${values.output}"`);
    const admin = values.admin === undefined ? undefined : EmailAddress.safeParse(values.admin).data;
    if (values.admin !== undefined && admin === undefined) throw new UsageError('--admin: must be a mail address');
    const config = loadConfig(Config, process.env);
    const { workspace, project, 'second-project': secondProject, output } = values;
    await withDatabase(config, 'bootstrap', async (database) => {
      print(await bootstrap(database, config, { workspace, project, secondProject, admin }), output);
    });
  }, USAGE);
}
