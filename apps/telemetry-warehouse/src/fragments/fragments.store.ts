import { mongo } from 'mongoose';
import { inParts, readJson } from '@clew/kernel';
import { insertNew, nativeDb, type Database } from '@clew/persistence';
import { packed, unpacked } from '../packing/index.ts';
import type { FragmentContent, FragmentFacts, TraceFragment } from './fragment.ts';
import { contentModel, fragmentModel, type ContentDocument } from './fragment.model.ts';
import type { NewFragment } from './message-fragments.ts';

/** Fragment that is ready to be written. */
export interface PackedFragment {
  document: TraceFragment;
  /** Absent if it has expired. */
  content?: ContentDocument;
}

/** Fragment read with the facts of its records. */
export type FragmentHead = Omit<HeadDocument, 'facts'> & { facts: FragmentFacts };

/** Limits of the fragments held at a time. */
export interface HeadLimits {
  fragments: number;
  /** Characters of facts. */
  characters: number;
}

export interface FragmentStore {
  /** Stores each fragment once; an existing one stays as it is. */
  write(fragments: readonly PackedFragment[]): Promise<void>;
  /** Returns the traces that name the given conversations, by name; undefined if there are more than `limit`. */
  tracesNaming(projectId: string, names: readonly string[], limit: number): Promise<Map<string, string[]> | undefined>;
  /** Returns the traces that name a conversation, the earliest first; at most `limit`. */
  firstTracesNaming(projectId: string, name: string, limit: number): Promise<string[]>;
  /** Returns the fragments of traces; undefined if there are more than the limits allow. */
  headsOf(projectId: string, traceIds: readonly string[], limits: HeadLimits): Promise<FragmentHead[] | undefined>;
  /** Returns the fragments that exist. */
  headsById(ids: readonly string[]): Promise<FragmentHead[]>;
  /** Yields all fragments of a trace, however many, in any order. */
  walkHeads(projectId: string, traceId: string): AsyncIterable<FragmentHead>;
  /** Returns the contents of fragments; those whose content is gone are left out. */
  contentsOf(ids: readonly string[]): Promise<Map<string, FragmentContent>>;
  /** Removes fragments and their contents. */
  remove(ids: readonly string[]): Promise<void>;
  /** Returns the ids of the fragments that exist. */
  existing(ids: readonly string[]): Promise<Set<string>>;
}

/** Maximum bytes of content in one write; the server takes 48 MB. */
const MAX_WRITE_BYTES = 8 * 1024 * 1024;
const HEAD = { traceId: 1, length: 1, facts: 1, receivedAt: 1, placed: 1, callKeys: 1 } as const;
/** Cost of one entry for the server, in bytes of content. */
const BYTES_OF_A_WRITE = 200;

type HeadDocument = Pick<TraceFragment, '_id' | 'traceId' | 'length' | 'facts' | 'receivedAt' | 'placed' | 'callKeys'>;

export function createFragmentStore(database: Database): FragmentStore {
  const fragments = fragmentCollection(database);
  const contents = contentCollection(database);

  return {
    async write(written) {
      // The content is written first: a fragment without content would be read as one whose content has expired.
      const sizeOf = ({ body }: ContentDocument) => body.length() + BYTES_OF_A_WRITE;
      const parts = inParts(
        written.flatMap(({ content }) => content ?? []),
        sizeOf,
        MAX_WRITE_BYTES,
      );
      for (const part of parts) await insertNew(contents, part);
      const documents = inParts(
        written.map(({ document }) => document),
        ({ facts }) => facts.length + BYTES_OF_A_WRITE,
        MAX_WRITE_BYTES,
      );
      for (const part of documents) await insertNew(fragments, part);
    },
    async tracesNaming(projectId, names, limit) {
      const found = await fragments
        .find<Pick<TraceFragment, 'traceId' | 'names'>>(
          { ...naming(projectId), names: { $in: [...names] } },
          // The projection keeps only the wanted names: a fragment may name thousands of others.
          { projection: { _id: 0, traceId: 1, names: { $setIntersection: ['$names', [...names]] } }, limit: limit + 1 },
        )
        .toArray();
      if (found.length > limit) return undefined;
      const traces = new Map(names.map((name) => [name, new Set<string>()]));
      for (const { traceId, names: all } of found) for (const name of all) traces.get(name)?.add(traceId);
      return new Map([...traces].map(([name, ofName]) => [name, [...ofName]]));
    },
    async firstTracesNaming(projectId, name, limit) {
      const traceIds = new Set<string>();
      const found = fragments.find<Pick<TraceFragment, 'traceId'>>(
        { ...naming(projectId), names: name },
        { projection: { _id: 0, traceId: 1 }, sort: { startedAt: 1 } },
      );
      for await (const { traceId } of found) {
        traceIds.add(traceId);
        if (traceIds.size === limit) break;
      }
      return [...traceIds];
    },
    ...headReads(fragments),
    async contentsOf(ids) {
      const found = contents.find({ _id: { $in: [...ids] } }, { projection: { body: 1 } });
      const byId = new Map<string, FragmentContent>();
      for await (const { _id, body } of found) {
        byId.set(_id, readJson(await unpacked(body.value())) as FragmentContent);
      }
      return byId;
    },
    async remove(ids) {
      await fragments.deleteMany({ _id: { $in: [...ids] } });
      await contents.deleteMany({ _id: { $in: [...ids] } });
    },
    async existing(ids) {
      const found = await fragments.find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },
  };
}

export async function packedFragment({ document, content }: NewFragment): Promise<Required<PackedFragment>> {
  const { _id, projectId, receivedAt } = document;
  return { document, content: { _id, projectId, body: new mongo.Binary(await packed(content)), receivedAt } };
}

export function fragmentCollection({ connection }: Database): mongo.Collection<TraceFragment> {
  return nativeDb(connection).collection(fragmentModel(connection).collection.name);
}

export function contentCollection({ connection }: Database): mongo.Collection<ContentDocument> {
  return nativeDb(connection).collection(contentModel(connection).collection.name);
}

function headReads(
  fragments: mongo.Collection<TraceFragment>,
): Pick<FragmentStore, 'headsOf' | 'headsById' | 'walkHeads'> {
  return {
    async headsOf(projectId, traceIds, limits) {
      const heads: FragmentHead[] = [];
      let characters = 0;
      for await (const document of fragments.find<HeadDocument>(
        { projectId, traceId: { $in: [...traceIds] } },
        { projection: HEAD, limit: limits.fragments + 1 },
      )) {
        characters += document.facts.length;
        if (heads.length === limits.fragments || characters > limits.characters) return undefined;
        heads.push(headOf(document));
      }
      return heads;
    },
    async headsById(ids) {
      const found = await fragments.find<HeadDocument>({ _id: { $in: [...ids] } }, { projection: HEAD }).toArray();
      return found.map(headOf);
    },
    async *walkHeads(projectId, traceId) {
      for await (const document of fragments.find<HeadDocument>({ projectId, traceId }, { projection: HEAD })) {
        yield headOf(document);
      }
    },
  };
}

function headOf({ facts, ...head }: HeadDocument): FragmentHead {
  return { ...head, facts: readJson(facts) as FragmentFacts };
}

/** Filter of fragments that name a conversation; the index holds only those. */
function naming(projectId: string) {
  return { projectId, namedAt: { $gt: '' } };
}
