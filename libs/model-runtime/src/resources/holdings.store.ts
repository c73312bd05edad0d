import type { Database, Transaction } from '@clew/persistence';
import { ENDED_HOLDING_TTL_MS, holdingId, subjectId, type Holding, type Subject } from './holding.ts';
import { generationModel, holdingModel, type GenerationDocument, type HoldingDocument } from './resource.model.ts';
import type { Resource, ResourceKind } from './resource.ts';

export interface HoldingStore {
  get(projectId: string, resourceId: string, tx?: Transaction): Promise<Holding | undefined>;
  /** Returns the project's holdings of one kind for a model. */
  heldOf(projectId: string, node: string, kind: ResourceKind, modelId: string, tx?: Transaction): Promise<Holding[]>;
  /** Lists holdings, latest change first, including those given back recently. */
  recent(projectId: string, node: string, kind: ResourceKind, limit: number): Promise<Holding[]>;
  /** Returns all of the project's holdings of one kind that are for models. */
  heldForModels(
    projectId: string,
    node: string,
    kind: ResourceKind,
  ): Promise<{ resourceId: string; modelId: string }[]>;
  /** Returns some of all its holdings, of any kind. */
  someHeld(projectId: string, limit: number): Promise<Holding[]>;
  holdsServiceOn(tx: Transaction, projectId: string, node: string, engine: string): Promise<boolean>;
  /** Takes a holding; false if the project already had it. */
  take(tx: Transaction, projectId: string, resource: Resource, subject: Subject, nowMs: number): Promise<boolean>;
  giveBack(tx: Transaction, holding: Holding, resource: Resource, nowMs: number): Promise<void>;
  /** Returns the last incarnation of a subject that the project gave back; this is kept for ever. */
  lastGivenBack(tx: Transaction, projectId: string, subject: string): Promise<GivenBack | undefined>;
}

export interface GivenBack {
  resourceId: string;
  generation: number;
}

const MAX_PER_MODEL = 1_000;
const MAX_HELD = 10_000;

export function createHoldingStore(database: Database): HoldingStore {
  const model = holdingModel(database.connection);
  const generations = generationModel(database.connection);
  return {
    async get(projectId, resourceId, tx) {
      const query = model.findOne({ _id: holdingId(projectId, resourceId), projectId });
      const document = await query.session(tx ?? null).lean<HoldingDocument>();
      return document === null ? undefined : fromDocument(document);
    },
    async heldOf(projectId, node, kind, modelId, tx) {
      const query = model.find({ projectId, node, modelId, kind, held: true }).limit(MAX_PER_MODEL);
      const documents = await query.session(tx ?? null).lean<HoldingDocument[]>();
      return documents.map(fromDocument);
    },
    async recent(projectId, node, kind, limit) {
      const documents = await model
        .find({ projectId, node, kind })
        .sort({ updatedAt: -1, _id: -1 })
        .limit(limit)
        .lean<HoldingDocument[]>();
      return documents.map(fromDocument);
    },
    async heldForModels(projectId, node, kind) {
      const documents = await model
        .find({ projectId, node, kind, held: true }, { modelId: 1, resourceId: 1 })
        .limit(MAX_HELD)
        .lean<Pick<HoldingDocument, 'modelId' | 'resourceId'>[]>();
      return documents.flatMap(({ modelId, resourceId }) => (modelId === null ? [] : [{ modelId, resourceId }]));
    },
    async someHeld(projectId, limit) {
      const documents = await model.find({ projectId, held: true }).limit(limit).lean<HoldingDocument[]>();
      return documents.map(fromDocument);
    },
    async holdsServiceOn(tx, projectId, node, engine) {
      const query = model.exists({ projectId, node, engine, kind: 'service', held: true });
      return (await query.session(tx)) !== null;
    },
    async take(tx, projectId, resource, subject, nowMs) {
      const _id = holdingId(projectId, resource.id);
      const { node, kind, id: resourceId, generation } = resource;
      const before = await model.findOneAndUpdate(
        { _id },
        {
          $set: { generation, held: true, endedAs: null, updatedAt: nowMs, expiresAt: null },
          $setOnInsert: { projectId, node, kind, resourceId, ...subject, createdAt: nowMs },
        },
        { upsert: true, returnDocument: 'before', session: tx, lean: true },
      );
      return before === null || !before.held;
    },
    async giveBack(tx, holding, resource, nowMs) {
      await model.updateOne(
        { _id: holding.id, projectId: holding.projectId },
        {
          $set: {
            held: false,
            generation: resource.generation,
            endedAs: resource.state === 'ready' ? 'complete' : 'incomplete',
            updatedAt: nowMs,
            expiresAt: new Date(nowMs + ENDED_HOLDING_TTL_MS),
          },
        },
        { session: tx },
      );
      const _id = givenBackId(holding.projectId, subjectId(holding, holding));
      const last = { value: resource.generation, resourceId: resource.id };
      await generations.updateOne({ _id }, { $set: last }, { upsert: true, session: tx });
    },
    async lastGivenBack(tx, projectId, subject) {
      const query = generations.findOne({ _id: givenBackId(projectId, subject) });
      const found = await query.session(tx).lean<GenerationDocument>();
      return found?.resourceId === undefined ? undefined : { resourceId: found.resourceId, generation: found.value };
    },
  };
}

function givenBackId(projectId: string, subject: string): string {
  return `${projectId}/${subject}`;
}

function fromDocument({ _id, expiresAt: _, ...rest }: HoldingDocument): Holding {
  return { id: _id, ...rest };
}
