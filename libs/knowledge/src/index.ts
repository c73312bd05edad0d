export { DATA_RULE, dataBlock } from './data-block.ts';
export {
  acceptItems,
  addedUp,
  countOf,
  reject,
  validityOf,
  type AcceptedItems,
  type ClaimedItem,
  type ShownPart,
} from './accept-items.ts';
export { shareOfCommonWords, tellingWords } from './common-words.ts';
export { endOfDate, isDated, startOfDate } from './item-dates.ts';
export { foldedText } from './folded-text.ts';
export {
  isFoundedOn,
  mayFollow,
  mentionedIn,
  namesOnlyGiven,
  peopleOf,
  type Mentioned,
  type People,
} from './follows.ts';
export { quotedWords, type QuotedWords } from './quoted-words.ts';
export { listenersIn, type ListenerOf } from './listeners.ts';
export { derivableDates } from './relative-dates.ts';
export { claimOf, lastingSentences, type LastingSentence } from './lasting-sentences.ts';
export { isLocked, lockQuote, type TextRange } from './quote-lock.ts';
export { decodeKeys, encodeKeys, joinKeys, messageKeysOf, type IdentifiedMessage } from './extraction-ledger.ts';
export { splitSentences } from './split-sentences.ts';
export { estimateTokens } from './token-estimate.ts';
export { isOfOneself, subjectKeyOf, subjectOf, THE_PROJECT } from './subjects.ts';
export { isTainted, PARTICIPANTS_ONLY, promptHashOf, speaksToReaders, taintedRanges, taintOf } from './trust.ts';
