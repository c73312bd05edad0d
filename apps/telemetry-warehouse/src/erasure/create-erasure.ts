import {
  eraseConversationExamples,
  eraseConversationFindings,
  eraseConversationKnowledge,
  type ErasedPartName,
} from '@clew/contracts';
import type { Clock, CursorCodec } from '@clew/kernel';
import type { ServiceClient } from '@clew/http';
import { lettersOfProject } from '@clew/messaging';
import { createEraseProject, createTombstones, type AuditTrail, type Database } from '@clew/persistence';
import type { FragmentStore } from '../fragments/index.ts';
import type { HourStore } from '../hours/index.ts';
import type { ExpireWords } from '../retention/index.ts';
import { createEraseRecords } from './erase-records.ts';
import { createEraseTelemetry } from './erase-telemetry.ts';
import type { SweepLetters } from './erase-letters.ts';
import type { ErasePart } from './erasure-loop.ts';
import { createErasureStore } from './erasures.store.ts';
import { createErasuresService } from './erasures.service.ts';
import { createRefuseErased } from './refuse-erased.ts';

/** Services that hold data derived from conversations. */
export interface ErasedServices {
  diagnostics: ServiceClient;
  datasets: ServiceClient;
  knowledge: ServiceClient;
}

export interface ErasureDependencies {
  database: Database;
  fragments: FragmentStore;
  expireWords: ExpireWords;
  hours: Pick<HourStore, 'discount'>;
  services: ErasedServices;
  sweepLetters: SweepLetters;
  audit: AuditTrail;
  cursors: CursorCodec;
  clock: Clock;
}

/**
 * Erasure of conversations and of whole projects: the runs, the warehouse's own part, and the refusal of erased records
 * that arrive again.
 */
export function createErasure(dependencies: ErasureDependencies) {
  const { database, fragments, services, audit, clock } = dependencies;
  const tombstones = createTombstones(database);
  const eraseRecords = createEraseRecords(database, fragments);
  const refuse = createRefuseErased({ tombstones, eraseRecords, fragments });
  const erasures = createErasureStore(database);
  const project = createEraseProject(database, {
    async before(projectId) {
      await tombstones.setProject(projectId);
      return { deadLetters: await dependencies.sweepLetters(lettersOfProject(projectId)) };
    },
  });
  const parts: Record<ErasedPartName, ErasePart> = {
    telemetry: createEraseTelemetry({ ...dependencies, tombstones, eraseRecords, refuse }),
    diagnostics: ({ projectId }, conversationId) =>
      services.diagnostics.call(eraseConversationFindings, { params: { projectId, conversationId } }),
    datasets: ({ projectId }, conversationId) =>
      services.datasets.call(eraseConversationExamples, { params: { projectId, conversationId } }),
    knowledge: ({ projectId }, conversationId) =>
      services.knowledge.call(eraseConversationKnowledge, { params: { projectId, conversationId } }),
  };
  return {
    ...{ erasures, parts, project },
    service: createErasuresService({ database, erasures, audit, clock, cursors: dependencies.cursors }),
    fragmentsOf: refuse.fragmentsOf,
  };
}
