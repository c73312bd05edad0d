import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  MAX_PREVIEWED,
  NewExample,
  readDiagnosedConversations,
  readKnowledgeItems,
  readSnapshots,
  type CollectionPreview,
  type CollectionSubject,
} from '@clew/contracts';
import {
  lookAtConversation,
  lookAtItem,
  synthesizeFromConversation,
  synthesizeFromItem,
  type AskModel,
  type Look,
  type Question,
  type Synthesized,
} from '@clew/collection';
import type { ServiceClient } from '@clew/http';
import { InferenceError, type InferenceClient } from '@clew/inference';
import { AppError, createFairLimiter, notFound, type Clock } from '@clew/kernel';
import type { z } from 'zod';
import type { DatasetKey } from '../examples/index.ts';
import type { CollectingDataset, CollectingDatasets } from './collecting-datasets.ts';
import type { ReadSubjects } from './read-subjects.ts';
import { findWriters, writerOf, type Writer } from './writers.ts';

export interface PreviewDependencies {
  collecting: Pick<CollectingDatasets, 'policyOf'>;
  readSubjects: ReadSubjects;
  warehouse: ServiceClient;
  diagnostics: ServiceClient;
  knowledge: ServiceClient;
  modelRuntime: ServiceClient;
  inference: InferenceClient;
  clock: Clock;
}

export interface PreviewRequest extends DatasetKey {
  /** Number of responses that the model of the Dataset writes. */
  synthesize: number;
  requestId: string;
}

/** Look at a subject, and how the model would write its response. */
interface Looked {
  subject: CollectionSubject;
  look: Look;
  write(ask: AskModel, writer: Writer): Promise<Synthesized>;
}

/** Time in milliseconds for everything; the gateway waits for 30 seconds. */
const DEADLINE_MS = 25_000;
/** Previews that one process makes at a time; a project has half of them. */
const PLACES = 4;

/** Tells what a Dataset would collect from the latest conversations or items, enabled or not, and stores nothing. */
export function createPreview(dependencies: PreviewDependencies) {
  const { collecting, readSubjects, clock } = dependencies;
  const limiter = createFairLimiter({ places: PLACES, share: PLACES / 2 });

  async function preview(request: PreviewRequest, signal: AbortSignal): Promise<CollectionPreview> {
    const { projectId, datasetId, synthesize } = request;
    const dataset = await collecting.policyOf(projectId, datasetId);
    if (dataset === undefined) throw notFound();
    if (dataset === null) throw new AppError('COLLECTION_OFF', 'The Dataset has no collection objective');
    const writer = synthesize > 0 ? await writerFor(dependencies, projectId, dataset) : undefined;
    const { objective, goalIds } = dataset;
    const window = { fromMs: 0, toMs: clock.now(), limit: MAX_PREVIEWED, cursor: null };
    const { subjects } = await readSubjects({ projectId, objective, goalIds, ...window });
    const looked: Looked[] = [];
    try {
      for await (const each of looks(dependencies, request, { dataset, subjects, signal })) looked.push(each);
    } catch (error) {
      // Looks that were made in time are told.
      if (!signal.aborted) throw error;
    }
    const chosen = looked.filter(({ look }) => look.status === 'to_synthesize').slice(0, synthesize);
    const examples = writer === undefined ? [] : await written(dependencies, request, { chosen, writer, signal });
    return {
      conversations: looked.flatMap(({ subject, look }) =>
        subject.kind === 'item' ? [] : [{ conversationId: subject.conversationId, ...wouldOf(look) }],
      ),
      items: looked.flatMap(({ subject, look }) =>
        subject.kind === 'item' ? [{ itemId: subject.itemId, ...wouldOf(look) }] : [],
      ),
      examples,
    };
  }

  return async (request: PreviewRequest): Promise<CollectionPreview> => {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    return await limiter.run([request.projectId], () => preview(request, signal), signal);
  };
}

interface LooksContext {
  dataset: CollectingDataset;
  subjects: readonly CollectionSubject[];
  signal: AbortSignal;
}

async function* looks(
  { warehouse, diagnostics, knowledge, clock }: PreviewDependencies,
  { projectId, requestId }: PreviewRequest,
  { dataset: { datasetId, objective, redaction }, subjects, signal }: LooksContext,
): AsyncGenerator<Looked> {
  const call = { params: { projectId }, requestId };
  const itemIds = subjects.flatMap((subject) => (subject.kind === 'item' ? [subject.itemId] : []));
  if (itemIds.length > 0) {
    const { items } = await knowledge.call(readKnowledgeItems, { ...call, body: { itemIds } });
    for (const item of items) {
      const nowMs = clock.now();
      yield {
        subject: { kind: 'item', itemId: item.id },
        look: lookAtItem(item, { datasetId, nowMs }),
        write: (ask, writer) => synthesizeFromItem(ask, item, { ...optionsOf(writer), datasetId, redaction, nowMs }),
      };
    }
  }
  const conversations = subjects.flatMap((subject) => (subject.kind === 'item' ? [] : [subject]));
  if (conversations.length === 0) return;
  const conversationIds = conversations.map(({ conversationId }) => conversationId);
  const known = await diagnostics.call(readDiagnosedConversations, { ...call, body: { conversationIds } });
  const diagnosedBy = new Map(known.conversations.map((each) => [each.conversationId, each]));
  const snapshotIds = conversations.map(({ snapshotId }) => snapshotId);
  for await (const snapshot of warehouse.lines(readSnapshots, { ...call, body: { snapshotIds } }, { signal })) {
    const { conversationId, snapshotId } = snapshot;
    const diagnosed = diagnosedBy.get(conversationId);
    const look = lookAtConversation(objective, snapshot, diagnosed, { datasetId, redaction });
    yield {
      subject: { kind: 'conversation', conversationId, snapshotId },
      look,
      async write(ask, writer) {
        if (look.status !== 'to_synthesize') return { status: 'refused', reason: 'no_step_to_correct' };
        const options = { ...optionsOf(writer), datasetId, redaction };
        return await synthesizeFromConversation(ask, { objective, snapshot, diagnosed, synthesis: look }, options);
      },
    };
    await nextTurn();
  }
}

async function writerFor({ modelRuntime }: PreviewDependencies, projectId: string, { model }: CollectingDataset) {
  const writer = writerOf(await findWriters(modelRuntime, projectId, [model]), model);
  if (typeof writer !== 'string') return writer;
  throw new AppError('MODEL_UNAVAILABLE', 'The model of the Dataset is not available now');
}

function optionsOf({ model, capabilities }: Writer) {
  return { model, contextLength: capabilities?.contextLength ?? null };
}

/** Has the model write responses side by side; those that it refuses, or does not write in time, are left out. */
async function written(
  { inference }: PreviewDependencies,
  { projectId, requestId }: PreviewRequest,
  { chosen, writer, signal }: { chosen: readonly Looked[]; writer: Writer; signal: AbortSignal },
): Promise<NewExample[]> {
  const { model, capabilities } = writer;
  const ask = (async ({ name: _, messages, ...question }: Question<z.ZodType>) => {
    const call = { projectId, requestId, model, capabilities, temperature: 0, signal };
    return (await inference.json({ ...call, ...question, messages: [...messages] })).value;
  }) as AskModel;
  const made = chosen.map(async ({ write }): Promise<NewExample[]> => {
    try {
      const synthesized = await write(ask, writer);
      if (synthesized.status !== 'collected') return [];
      return synthesized.examples.map(({ example }) => NewExample.parse(example));
    } catch (error) {
      if (error instanceof InferenceError || signal.aborted) return [];
      throw error;
    }
  });
  return (await Promise.all(made)).flat();
}

function wouldOf(look: Look): Pick<CollectionPreview['conversations'][number], 'would' | 'because'> {
  if (look.status === 'refused') return { would: 'skip', because: look.reason };
  return { would: look.status === 'collected' ? 'collect' : 'synthesize', because: look.because };
}
