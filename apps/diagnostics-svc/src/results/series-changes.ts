import type { OccurrenceHead } from '../findings/occurrence.ts';
import { rowChanges, type Counted, type RowChange } from '../findings/series/index.ts';
import type { AnalysedConversation, ResultState } from './result-state.ts';

/** Changes of the series for the occurrences that a change of the state brings and takes away. */
export function seriesChanges(before: ResultState, after: ResultState): RowChange[] {
  const [came, went]: [Counted[], Counted[]] = [[], []];
  const counted = ({ findingId, ...occurrence }: OccurrenceHead): Counted => {
    const finding = after.findings.get(findingId) ?? before.findings.get(findingId);
    return { ...occurrence, categoryKey: finding?.head.categoryKey ?? 'unknown' };
  };
  for (const [key, conversation] of after.conversations) {
    const former = before.conversations.get(key);
    if (former === conversation) continue;
    const [was, is] = [occurrencesOf(former), occurrencesOf(conversation)];
    for (const [id, occurrence] of is) if (was.get(id) !== occurrence) came.push(counted(occurrence));
    for (const [id, occurrence] of was) {
      if (is.get(id) !== occurrence && occurrence.counted === true) went.push(counted(occurrence));
    }
  }
  return rowChanges(came, went);
}

function occurrencesOf(conversation: AnalysedConversation | undefined): Map<string, OccurrenceHead> {
  return new Map([...(conversation?.rules.values() ?? [])].flatMap(({ occurrences }) => [...occurrences]));
}
