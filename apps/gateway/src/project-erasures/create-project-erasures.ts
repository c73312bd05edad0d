import {
  addressVariable,
  eraseProjectDatasets,
  eraseProjectDiagnostics,
  eraseProjectKnowledge,
  eraseProjectModels,
  eraseProjectTelemetry,
  type CalledService,
  type ProjectPartName,
} from '@clew/contracts';
import type { DatabaseHost } from '@clew/host';
import { createServiceClient, type IdentitySigner, type Route } from '@clew/http';
import { createEraseProject, createOutbox } from '@clew/persistence';
import type { BackgroundTask } from '@clew/runtime';
import type { ApiKeyStore } from '../api-keys/api-keys.store.ts';
import { createKeyJournal } from '../api-keys/key-journal.ts';
import { createAuditLog } from '../audit/audit.ts';
import type { GatewayConfig } from '../config.ts';
import type { ProjectStore } from '../projects/projects.store.ts';
import { createCloseKeys } from './close-keys.ts';
import { startErasureLoop, type ErasePart, type ErasureLoopOptions } from './erasure-loop.ts';
import { projectErasureRoutes } from './project-erasures.routes.ts';
import { createProjectErasuresService } from './project-erasures.service.ts';
import { createProjectErasureStore } from './project-erasures.store.ts';

export interface ProjectErasuresParts extends Pick<
  DatabaseHost<GatewayConfig>,
  'config' | 'database' | 'clock' | 'logger'
> {
  apiKeys: ApiKeyStore;
  projects: ProjectStore;
  sign: IdentitySigner;
  /** Takes the project out of what people have and are invited to; resolves with counts, empty if nothing is left. */
  closePeople: (projectId: string) => Promise<Record<string, number>>;
  /** Called when a project is closed, so that this replica forgets it. */
  forgetProject: (projectId: string) => void;
}

export interface ProjectErasures {
  routes: Route[];
  loop: ErasureLoopOptions;
  /** Workspace of a deleted project. */
  workspaceOf(projectId: string): Promise<string | undefined>;
  start(): BackgroundTask;
}

/** Time limit of one call: a service works for some seconds, then answers whether there is more to remove. */
const CALL_TIMEOUT_MS = 30_000;
/** Collections that stay: the receipts of deletions, and the record of who did what. */
const KEPT = ['project_erasures', 'audit'];

/** Deletion of projects: nobody can use a deleted project from then on, and all services remove its data. */
export function createProjectErasures(deps: ProjectErasuresParts): ProjectErasures {
  const { config, database, clock, logger } = deps;
  const erasures = createProjectErasureStore(database);
  const audit = createAuditLog(database);
  const outbox = createOutbox(database);
  const journal = createKeyJournal({ audit, outbox, clock });
  const closeKeys = createCloseKeys({ apiKeys: deps.apiKeys, journal, clock });
  const eraseOwn = createEraseProject(database, { keep: KEPT });
  const client = (service: CalledService) =>
    createServiceClient({
      ...{ baseUrl: config[addressVariable(service)], serviceName: 'gateway', sign: deps.sign },
      timeoutMs: CALL_TIMEOUT_MS,
    });
  const params = (projectId: string) => ({ params: { projectId } });
  const parts: Record<ProjectPartName, ErasePart> = {
    telemetry: (projectId) => client('telemetry-warehouse').call(eraseProjectTelemetry, params(projectId)),
    diagnostics: (projectId) => client('diagnostics-svc').call(eraseProjectDiagnostics, params(projectId)),
    datasets: (projectId) => client('datasets-svc').call(eraseProjectDatasets, params(projectId)),
    knowledge: (projectId) => client('knowledge-svc').call(eraseProjectKnowledge, params(projectId)),
    models: (projectId) => client('model-runtime-svc').call(eraseProjectModels, params(projectId)),
    // A key or a membership that was made while the project was being closed can still name it: all are closed here.
    async identity(projectId) {
      const keys = await database.withTransaction((tx) => closeKeys(tx, projectId, `erasure of ${projectId}`));
      if (keys > 0) return { removed: { keys }, done: false };
      const people = await deps.closePeople(projectId);
      if (Object.keys(people).length > 0) return { removed: people, done: false };
      const revokedKeys = await deps.apiKeys.removeRevoked(projectId);
      const { removed, done } = await eraseOwn(projectId);
      return { removed: revokedKeys === 0 ? removed : { ...removed, revokedKeys }, done };
    },
  };
  const loop = { erasures, parts, clock, logger, settleMs: config.ERASURE_SETTLE_MS };
  const service = createProjectErasuresService({
    ...{ database, projects: deps.projects, erasures, audit, outbox, closeKeys, clock },
    onDeleted: deps.forgetProject,
  });
  return {
    routes: projectErasureRoutes(service),
    loop,
    workspaceOf: (projectId) => erasures.workspaceOf(projectId),
    start: () => startErasureLoop(loop),
  };
}
