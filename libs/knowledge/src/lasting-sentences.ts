import type { ExtractedItem } from '@clew/contracts';
import type { ClaimedItem, ShownPart } from './accept-items.ts';
import { foldedText } from './folded-text.ts';
import { hasMeaning } from './follows.ts';
import { splitSentences } from './split-sentences.ts';
import { taintOf } from './trust.ts';

type Kind = ExtractedItem['kind'];
type Speaker = 'user' | 'tool';

/** Sentence that, by its form, may stay valid beyond its conversation. */
export interface LastingSentence {
  messageIndex: number;
  quote: string;
  kind: Kind;
  speaker: Speaker;
}

const MIN_WORDS = 5;
const MAX_WORDS = 60;
const MAX_CHARACTERS = 400;
/** Confidence of a sentence chosen by its form, which says nothing about its truth. */
const CONFIDENCE = 0.5;

/**
 * Patterns of sentences about the current situation, or about a single thing. Like all patterns below, matched on
 * folded text.
 */
const PASSING: readonly RegExp[] = [
  /(\?|:|…|\.\.\.)["”)]*$/,
  /\b(today|tomorrow|tonight|yesterday|right now|just now|at the moment|currently|for now|this (time|order|ticket|request|one|morning|week|case|issue))\b/,
  /\b(i|we)('d| would) like\b|\b(i|we) (want|need)\b|\b(can|could|would|will) you\b|\blet('s| us| me)\b|\bwe('ll| will| should|'ve|'d| would| could)\b|\bwe can (?!only\b)|\bi'll\b|\bi will\b|\bi('m| am) (trying|looking|going|having|calling|writing)\b/,
  /\bplease (?!always|never|do not|don't|only|use|keep)\b/,
  /\b(thank you|thanks|sorry|hello|hi|okay)\b/,
  /#\s?\w{0,60}\d{3}|\b[a-z]{1,6}[-_]?\d{4,}\b|\b\d{5,}\b|\S@\S|:\/\//,
  /\b(my|your) (name|e-?mail|phone|address|zip|order|reservation|booking|ticket|account|password)\b/,
];
/** Pattern of sentences that cannot be understood without the text before them. */
const LEANS_ON_OTHERS =
  /^(it|its|it's|that|that's|this|these|those|they|they're|he|he's|she|she's|there|so|thus|therefore|hence|however|then|and|but|or|yes|yeah|yep|ok|okay|great|good|perfect|also|which|because)\b/;

const PREFERENCES: readonly RegExp[] = [
  /\b(i|we) (always |really |generally |usually |strongly |much )?(prefer|favou?r|avoid|dislike|hate|love)\b/,
  /\b(i|we) (always|never|usually|generally|only (?!need|want))\b|\b(i|we) can('t|not) stand\b/,
  /\b(i|we) (don't|do not|can't|cannot) (eat|drink|like|use|accept|work)\b|\bi('m| am) (a |an )?(allergic|vegan|vegetarian|intolerant)\b/,
  /\b(my|our) (preferred|favou?rite|usual|default)\b/,
  /\b(from now on|going forward|in (the )?future|by default|as a rule|every time|each time)\b/,
  /^(please )?(always|never|do not ever|don't ever|only use|only send) \w+/,
];
const CORRECTIONS: readonly RegExp[] = [
  /^(no|nope|actually|correction|careful|wait)\b[,:;. -]+\b(?!it\b|that\b|this\b|they\b).*\b(is|are|was|were|has|have|uses?|takes?|needs?|must|goes|go)\b/,
  /\b(that's|that is|this is|you're|you are|it's|it is) (wrong|not right|not correct|not true|incorrect|mistaken|outdated)\b\W+\w+(\W+\w+){3,}/,
  /\bnot \w+( \w+){0,5},? but\b|\b(is|are|it's|uses?|in|at|on) [^,.;]{1,60}, not \w+|\binstead of\b/,
];
/** Pattern of obligations, permissions and impossibilities. */
const RULE =
  /\b(must( not)?|may not|may only|can ?not|can't|can only|needs? (?!to be (checked|looked))|is required|are required|requires?|only (if|when|for|with|after|before|within|until|once)|within (\w+ ){0,2}(minutes?|hours?|days?|weeks?|months?)|up to \d+|at (most|least) \w+|no (more|fewer|less|later|earlier) than|maximum|minimum|not (allowed|permitted|refundable|available|accepted|possible|covered)|non-\w+able|prohibited|forbidden|eligible|limited to|expires? (after|on|in)|valid for|takes? (up to )?\d+|free of charge|never|always|policy)\b/;
/** Pattern of subjects that a rule can be about: a class of things, or our own things. */
const GENERAL_SUBJECT =
  /^(our|we|all|any|every|each|no|only|the|an?|for|in|on|if|when|once|after|before|under|per|[a-z-]+s|[a-z-]+ [a-z-]+s)\b/;
const OF_ONESELF = /\b(i|i'm|i've|my|me|you|your|you're)\b/;
const PROCEDURES: readonly RegExp[] = [
  /^(to|in order to) [a-z]+ .*,? \b(first|go|open|run|click|use|call|select|choose|set|press|hold|enter|type|restart|reset|delete|add|send|ask|check|turn|remove|follow)\b/,
  /^(if|when|whenever|once|after|before) [^,]{8,}, (then )?(first )?(go|open|run|click|use|call|select|choose|set|press|hold|enter|restart|reset|send|ask|check|turn|remove|follow|escalate|notify|wait|call)\b/,
  / (->|→|>) /,
  /\bfirst\b.{1,400}\b(then|next|afterwards|after that|finally)\b/,
];
/** Pattern of states and habits, as opposed to single events, judged by the verb. */
const STATE =
  /\b(is|are|has|have|needs?|uses?|runs?|takes?|costs?|keeps?|starts?|begins?|ends?|opens?|closes?|stays?|lasts?|moves?|works?|belongs?|means?|supports?|allows?|permits?|includes?|contains?|covers?|serves?|services|stores?|sells?|ships?|deploys?|lives?|does not|do not|doesn't|don't)\b/;
/** Pattern of states of the team's things, or of recurring events. */
const HABIT_OF_TEAM =
  /^our\b.*\b(is|are|has|have|\w+s)\b|^we (use|run|ship|deploy|keep|store|sell|send|support|work|start|close|open)\b|\b(opens?|closes?|starts?|begins?|ends?|works?|runs?|takes?|lasts?|delivers?|approves?|handles?)\b.{0,400}\b(at|on|in|for|by|until|every|each)\b/;
/** Pattern of ongoing or past events, which concern a single case. */
const OF_ONE_CASE =
  /\b(was|were|has been|have been|had|been|is being|are being|is now|are now|already|yet|still|just|failed|found|completed|created|updated|confirmed|successfully?|error)\b/;
/** Pattern of code and records, which are not prose. */
const NOT_PROSE = /[{};=|\\<]|\(\)|::|\w_\w/;
/** Pattern of a denial that the next sentence corrects. */
const DENIAL =
  /^(no|nope|actually|wrong)\b|\b(is|are|that's|you're) (wrong|not right|not correct|not true|incorrect|mistaken|outdated)\b/;

/**
 * Finds the sentences in a part of a conversation that, by their form, stay valid beyond it: the preferences and
 * corrections of users, and the rules and procedures that users and tools state. Tainted text is left out, and so are
 * an assistant's statements, because only a reader with judgement can tell them from inventions. English only: in other
 * languages nothing is found.
 */
export function lastingSentences(shown: readonly ShownPart[]): LastingSentence[] {
  return shown.flatMap(({ message, range }) => {
    const { role, content, index } = message;
    if (role !== 'user' && role !== 'tool') return [];
    const isTainted = taintOf(message);
    const seen = new Set<string>();
    let follows = '';
    return splitSentences(content, range).flatMap((place): LastingSentence[] => {
      const quote = content.slice(place.start, place.end);
      const kind = kindOf(quote, { speaker: role, isCorrecting: role === 'user' && DENIAL.test(follows) });
      follows = asRead(quote);
      // A quote is located at its first occurrence, so later ones are skipped.
      if (kind === undefined || seen.has(quote) || isTainted(place)) return [];
      seen.add(quote);
      return [{ messageIndex: index, quote, kind, speaker: role }];
    });
  });
}

function asRead(sentence: string): string {
  return foldedText(sentence).replaceAll('’', "'").trim();
}

/** Classifies a sentence as a kind of Knowledge; undefined if it is none. */
function kindOf(
  sentence: string,
  { speaker, isCorrecting }: { speaker: Speaker; isCorrecting: boolean },
): Kind | undefined {
  if (sentence.length > MAX_CHARACTERS) return undefined;
  const words = sentence.match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
  if (words < MIN_WORDS || words > MAX_WORDS || !hasMeaning(sentence)) return undefined;
  const folded = asRead(sentence);
  const matches = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(folded));
  if (matches(PASSING) || NOT_PROSE.test(folded)) return undefined;
  // A user's correction of their own request is not Knowledge: it ends with the request.
  if (speaker === 'user' && !OF_ONESELF.test(folded) && matches(CORRECTIONS)) return 'correction';
  if (LEANS_ON_OTHERS.test(folded)) return undefined;
  if (speaker === 'user' && matches(PREFERENCES)) return 'preference';
  if (OF_ONESELF.test(folded) && speaker === 'user') return undefined;
  if (matches(PROCEDURES)) return 'procedure';
  const isGeneral = GENERAL_SUBJECT.test(folded) && !OF_ONE_CASE.test(folded);
  if (isGeneral && RULE.test(folded)) return isCorrecting ? 'correction' : 'policy';
  // Users mostly describe the state of a thing because that is the reason for their request.
  const isState = speaker === 'tool' || isCorrecting ? STATE.test(folded) : HABIT_OF_TEAM.test(folded);
  if (isGeneral && isState) return isCorrecting ? 'correction' : 'fact';
  return undefined;
}

/**
 * Builds the claim that a lasting sentence makes: its own words, with the speaker if they concern a user's own wishes.
 */
export function claimOf({ messageIndex, quote, kind, speaker }: LastingSentence): ClaimedItem {
  const isPersonal = speaker === 'user' && OF_ONESELF.test(foldedText(quote));
  return {
    title: quote,
    content: isPersonal ? `A user said: "${quote}"` : quote,
    ...{ kind, confidence: CONFIDENCE, authority: speaker === 'user' ? 'user_stated' : 'tool_observed' },
    evidence: [{ messageIndex, quote }],
  };
}
