/** Kind of finish reason. The reasons come in the spelling of every provider. */
export type FinishKind = 'cut_off' | 'filtered' | 'complete' | 'unknown';

const CUT_OFF = new Set([
  'length',
  'maxtokens',
  'maxoutputtokens',
  'maxlength',
  'tokenlimit',
  'modellength',
  'maxcompletiontokens',
  'contextlengthexceeded',
  'modelcontextwindowexceeded',
  'incomplete',
]);
const FILTERED = new Set([
  'contentfilter',
  'contentfiltered',
  'safety',
  'recitation',
  'blocklist',
  'prohibitedcontent',
  'spii',
  'guardrailintervened',
  'filtered',
]);
const COMPLETE = new Set([
  'stop',
  'endturn',
  'stopsequence',
  'eos',
  'complete',
  'completed',
  'toolcalls',
  'tooluse',
  'toolcall',
  'functioncall',
  'finished',
  'end',
]);

/** Classifies a finish reason; the project's own reasons for a cut-off output count too. */
export function finishKind(finishReason: string | undefined, keywords: readonly string[]): FinishKind {
  if (finishReason === undefined) return 'unknown';
  const reason = normalise(finishReason);
  if (reason === '') return 'unknown';
  if (CUT_OFF.has(reason) || keywords.some((keyword) => normalise(keyword) === reason)) return 'cut_off';
  if (FILTERED.has(reason)) return 'filtered';
  return COMPLETE.has(reason) ? 'complete' : 'unknown';
}

function normalise(reason: string): string {
  return reason
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}
