import type { ResolutionStatus, ReviewStatus, Severity, WorkItemPresence } from '@clew/contracts';
import { normalised } from '@clew/kernel';
import type { FindingHead } from '../finding.ts';

/** Fields of a Finding's document by which lists filter, derived from its other fields at each write. */
export interface ListingRow {
  /** Values of the filters that usually leave few Findings; empty for a Finding that lists do not show. */
  facets: string[];
  /** Empty if nobody is responsible. */
  assignee: string;
  /** Empty if any agent may show the problem. */
  agent: string;
  workItem: WorkItemPresence;
  snoozed: boolean;
}

type Listed = Pick<
  FindingHead,
  | ('listed' | 'reviewStatus' | 'resolutionStatus' | 'severity')
  | ('ruleId' | 'categoryKey' | 'assignee' | 'situation' | 'workItem' | 'snooze')
>;

/** Statuses that most Findings have; filters on them leave too many for a facet. */
export const USUAL_REVIEW: ReviewStatus = 'unreviewed';
export const USUAL_RESOLUTION: ResolutionStatus = 'unresolved';

export const FACETS = {
  reviewStatus: (status: ReviewStatus) => `v:${status}`,
  resolutionStatus: (status: ResolutionStatus) => `o:${status}`,
  severity: (severity: Severity) => `s:${severity}`,
  ruleId: (ruleId: string) => `r:${ruleId}`,
  categoryKey: (categoryKey: string) => `c:${categoryKey}`,
  assignee: (assignee: string) => `a:${assignee}`,
  agent: (agent: string) => `g:${agent}`,
  workItem: (presence: WorkItemPresence) => `w:${presence}`,
  snoozed: 'snoozed',
} as const;

export function listingRowOf({ listed, ruleId, categoryKey, snooze, ...finding }: Listed): ListingRow {
  const assignee = finding.assignee ?? '';
  const agent = finding.situation?.agent ?? '';
  const workItem = presenceOf(finding.workItem);
  const snoozed = snooze !== null;
  const { reviewStatus, resolutionStatus, severity } = finding;
  const facets = [
    ...(reviewStatus === USUAL_REVIEW ? [] : [FACETS.reviewStatus(reviewStatus)]),
    ...(resolutionStatus === USUAL_RESOLUTION ? [] : [FACETS.resolutionStatus(resolutionStatus)]),
    FACETS.severity(severity),
    FACETS.ruleId(ruleId),
    FACETS.categoryKey(categoryKey),
    ...(assignee === '' ? [] : [FACETS.assignee(assignee)]),
    ...(agent === '' ? [] : [FACETS.agent(agent)]),
    ...(workItem === 'none' ? [] : [FACETS.workItem(workItem)]),
    ...(snoozed ? [FACETS.snoozed] : []),
  ];
  return { facets: listed ? facets : [], assignee, agent, workItem, snoozed };
}

function presenceOf(workItem: FindingHead['workItem']): WorkItemPresence {
  if (workItem === null || workItem === undefined) return 'none';
  return workItem.status === 'done' ? 'done' : 'active';
}

const WORD = /[\p{L}\p{N}]+/gu;
const MAX_WORDS = 30;
const MAX_WORD_LENGTH = 40;
/** Longest text whose words are read. */
const MAX_TEXT_LENGTH = 1_000;

/** Words of a text in lower case, each once; the search in titles compares whole words, and beginnings of words. */
export function wordsOf(text: string): string[] {
  const words = normalised(text.slice(0, MAX_TEXT_LENGTH), 'NFC').toLowerCase().match(WORD) ?? [];
  return [...new Set(words.map((word) => word.slice(0, MAX_WORD_LENGTH)))].slice(0, MAX_WORDS);
}
