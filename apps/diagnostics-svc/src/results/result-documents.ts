import type { mongo } from 'mongoose';
import { detectedOf, isRoot } from '../findings/clusters/cluster.ts';
import type { ChangedFinding, FindingHead } from '../findings/finding.ts';
import type { FindingDocument, OccurrenceDocument } from '../findings/finding.model.ts';
import { listingRowOf, wordsOf } from '../findings/listing/index.ts';
import type { Occurrence, PlacedHead } from '../findings/occurrence.ts';
import { conversationKey, type AnalysedConversation, type ResultState } from './result-state.ts';
import type { ConversationDocument } from './conversation.model.ts';
import { isNewDiagnosis, type DiagnosisHead } from './diagnosis.ts';
import { EMPTY_VIEW, type RuleView } from './rule-view.ts';

export type OccurrenceHeadDocument = Omit<OccurrenceDocument, 'detection'>;
export type PlacedHeadDocument = OccurrenceHeadDocument & Pick<PlacedHead, 'firstStep'>;
/** Leaves out the suspects of a diagnosis, which are not needed to write a later one. */
export const WITHOUT_SUSPECTS = { 'diagnosis.suspects': 0 } as const;
export type ConversationHeadDocument = Omit<ConversationDocument, 'diagnosis'> & { diagnosis?: DiagnosisHead };

/** State read from documents. */
export function resultStateOf(
  conversations: readonly ConversationHeadDocument[],
  occurrences: readonly PlacedHeadDocument[],
  findings: ReadonlyMap<string, FindingHead>,
): ResultState {
  const shown = Map.groupBy(occurrences.map(withId), ({ projectId, conversationId }) =>
    conversationKey(projectId, conversationId),
  );
  return {
    conversations: new Map(conversations.map((each) => [each._id, analysed(each, shown.get(each._id) ?? [])])),
    findings: new Map([...findings].map(([id, head]) => [id, { head }])),
  };
}

export function withId<Document extends { _id: string }>({ _id, ...rest }: Document): { id: string } & typeof rest {
  return { id: _id, ...rest };
}

function analysed(
  {
    projectId,
    conversationId,
    version,
    findingCount,
    revisions,
    ruleRevisions = {},
    diagnosis,
  }: ConversationHeadDocument,
  occurrences: readonly PlacedHead[],
): AnalysedConversation {
  const byRule = Map.groupBy(occurrences, ({ ruleId }) => ruleId);
  const ruleIds = new Set([...Object.keys(revisions), ...byRule.keys()]);
  const rules = [...ruleIds].map((ruleId): [string, RuleView] => [
    ruleId,
    {
      revision: revisions[ruleId] ?? EMPTY_VIEW.revision,
      ruleRevision: ruleRevisions[ruleId],
      occurrences: new Map((byRule.get(ruleId) ?? []).map((occurrence) => [occurrence.id, occurrence])),
    },
  ]);
  return { projectId, conversationId, version, findingCount, rules: new Map(rules), diagnosis };
}

/** Fields that not every Finding has. */
const OPTIONAL_FIELDS = ['own', 'mergedInto', 'rootId', 'memberIds', 'splitFrom', 'splits', 'situation'] as const;

export type Write<Document extends mongo.Document> = mongo.AnyBulkWriteOperation<Document>;

export function conversationWrite(conversation: AnalysedConversation): Write<ConversationDocument> {
  const { projectId, conversationId, version, findingCount, rules, diagnosis } = conversation;
  const revisions = Object.fromEntries([...rules].map(([ruleId, { revision }]) => [ruleId, revision]));
  const told = diagnosis !== undefined && isNewDiagnosis(diagnosis) ? { diagnosis } : {};
  const later = [...rules].flatMap(([ruleId, { ruleRevision }]) =>
    ruleRevision === undefined ? [] : [[ruleId, ruleRevision] as const],
  );
  const same = { version, findingCount, revisions, ...told };
  const update =
    later.length === 0
      ? { $set: same, $unset: { ruleRevisions: true as const } }
      : { $set: { ...same, ruleRevisions: Object.fromEntries(later) } };
  return {
    updateOne: {
      filter: { _id: conversationKey(projectId, conversationId), projectId, conversationId },
      update,
      upsert: true,
    },
  };
}

/** Writes for the changes of a conversation's occurrences. */
export function occurrenceWrites(
  before: AnalysedConversation | undefined,
  after: AnalysedConversation,
): Write<OccurrenceDocument>[] {
  const { projectId, conversationId } = after;
  const [known, left] = [occurrencesOf(before), occurrencesOf(after)];
  const withdrawnIds = [...known.keys()].filter((id) => !left.has(id));
  const withdrawal = { deleteMany: { filter: { projectId, conversationId, _id: { $in: withdrawnIds } } } };
  return [
    ...[...left.values()]
      // An occurrence that was loaded and is unchanged has no detection.
      .filter((occurrence): occurrence is Occurrence => 'detection' in occurrence)
      .map(({ id: _id, ...replacement }) => ({
        replaceOne: {
          filter: { _id, projectId, conversationId },
          replacement: { ...replacement, counted: true as const },
          upsert: true,
        },
      })),
    ...(withdrawnIds.length === 0 ? [] : [withdrawal]),
  ];
}

/** Write of a Finding as it is shown; a root also stores the values of its own conversations in `own`. */
export function findingWrite({ head, description }: ChangedFinding, shown: FindingHead): Write<FindingDocument> {
  const { id: _id, projectId, clusterCount: _count, ...fields } = shown;
  const own = isRoot(head) ? { own: detectedOf(head) } : {};
  const words = description === undefined ? {} : { titleWords: wordsOf(description.title) };
  const set = Object.fromEntries(
    Object.entries({ ...fields, ...description, ...own, ...words, listing: listingRowOf(shown) }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const unset = OPTIONAL_FIELDS.filter((field) => !(field in set));
  const update = { $set: set, $unset: Object.fromEntries(unset.map((field) => [field, true as const])) };
  return { updateOne: { filter: { _id, projectId }, update, upsert: true } };
}

function occurrencesOf(conversation: AnalysedConversation | undefined): Map<string, PlacedHead | Occurrence> {
  return new Map([...(conversation?.rules.values() ?? [])].flatMap(({ occurrences }) => [...occurrences]));
}
