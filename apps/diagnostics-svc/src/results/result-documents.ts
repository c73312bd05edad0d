import type { mongo } from 'mongoose';
import type { ChangedFinding, FindingHead } from '../findings/finding.ts';
import type { FindingDocument, OccurrenceDocument } from '../findings/finding.model.ts';
import type { Occurrence, OccurrenceHead } from '../findings/occurrence.ts';
import { conversationKey, type AnalysedConversation, type ResultState } from './apply-results.ts';
import type { ConversationDocument } from './conversation.model.ts';
import { EMPTY_VIEW, type RuleView } from './rule-view.ts';

export type OccurrenceHeadDocument = Omit<OccurrenceDocument, 'detection'>;
export type FindingHeadDocument = Omit<FindingHead, 'id'> & { _id: string };

/** The state that documents hold. */
export function resultStateOf(
  conversations: readonly ConversationDocument[],
  occurrences: readonly OccurrenceHeadDocument[],
  findings: readonly FindingHeadDocument[],
): ResultState {
  const shown = Map.groupBy(occurrences.map(withId), ({ projectId, conversationId }) =>
    conversationKey(projectId, conversationId),
  );
  return {
    conversations: new Map(conversations.map((each) => [each._id, analysed(each, shown.get(each._id) ?? [])])),
    findings: new Map(findings.map((head) => [head._id, { head: withId(head) }])),
  };
}

export function withId<Document extends { _id: string }>({ _id, ...rest }: Document): { id: string } & typeof rest {
  return { id: _id, ...rest };
}

function analysed(
  { projectId, conversationId, version, findingCount, revisions }: ConversationDocument,
  occurrences: readonly OccurrenceHead[],
): AnalysedConversation {
  const byRule = Map.groupBy(occurrences, ({ ruleId }) => ruleId);
  const ruleIds = new Set([...Object.keys(revisions), ...byRule.keys()]);
  const rules = [...ruleIds].map((ruleId): [string, RuleView] => [
    ruleId,
    {
      revision: revisions[ruleId] ?? EMPTY_VIEW.revision,
      occurrences: new Map((byRule.get(ruleId) ?? []).map((occurrence) => [occurrence.id, occurrence])),
    },
  ]);
  return { projectId, conversationId, version, findingCount, rules: new Map(rules) };
}

export type Write<Document extends mongo.Document> = mongo.AnyBulkWriteOperation<Document>;

export function conversationWrite(conversation: AnalysedConversation): Write<ConversationDocument> {
  const { projectId, conversationId, version, findingCount, rules } = conversation;
  const revisions = Object.fromEntries([...rules].map(([ruleId, { revision }]) => [ruleId, revision]));
  return {
    updateOne: {
      filter: { _id: conversationKey(projectId, conversationId), projectId, conversationId },
      update: { $set: { version, findingCount, revisions } },
      upsert: true,
    },
  };
}

/** What became of a conversation's occurrences. */
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
      // What was read, and stays as it was, has no detection.
      .filter((occurrence): occurrence is Occurrence => 'detection' in occurrence)
      .map(({ id: _id, ...replacement }) => ({
        replaceOne: { filter: { _id, projectId, conversationId }, replacement, upsert: true },
      })),
    ...(withdrawnIds.length === 0 ? [] : [withdrawal]),
  ];
}

export function findingWrite({ head, description }: ChangedFinding): Write<FindingDocument> {
  const { id: _id, projectId, ...fields } = head;
  const update = { $set: { ...fields, ...description } };
  return { updateOne: { filter: { _id, projectId }, update, upsert: true } };
}

function occurrencesOf(conversation: AnalysedConversation | undefined): Map<string, OccurrenceHead | Occurrence> {
  return new Map([...(conversation?.rules.values() ?? [])].flatMap(({ occurrences }) => [...occurrences]));
}
