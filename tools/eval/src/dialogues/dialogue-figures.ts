import type { ConversationMessage, KnowledgeItem } from '@clew/contracts';
import {
  isFoundedOn,
  listenersIn,
  mayFollow,
  mentionedIn,
  peopleOf,
  quotedWords,
  type QuotedWords,
} from '@clew/knowledge';
import type { Dialogue, ReferenceFact } from './dialogue.ts';

/** Items learned from a dialogue. */
export interface ReadDialogue {
  dialogue: Dialogue;
  /** Ids of its conversations, in their order. */
  conversationIds: readonly string[];
  /** Items in any status. */
  items: readonly KnowledgeItem[];
  /** Messages of the conversations by id, as the API returns them. */
  messages: ReadonlyMap<string, readonly ConversationMessage[]>;
}

export interface Part {
  readonly of: number;
  readonly hits: number;
}

export interface DialogueFigures {
  readonly items: number;
  readonly superseded: number;
  /** Facts of which some item quotes a message that shows them. */
  readonly quoted: Part;
  /** Items that leave a date open ("yesterday", "next month"). */
  readonly openDates: Part;
  /** Items about a person that rest on that person's own words, and have the authority of a user. */
  readonly userStated: Part;
  /** Items whose time, or whose words, tell a date. */
  readonly dated: Part;
  /** Pairs of facts that ended as they should, by relation. */
  readonly relations: Readonly<Record<string, Part>>;
  /** Items that still pass the checks of words with another person's name in place of the right one. */
  readonly wrongPerson: { readonly of: number; readonly withJudge: number; readonly withoutJudge: number };
}

const OPEN_DATE =
  /\b(?:yesterday|today|tonight|tomorrow|(?:last|next|this|coming) (?:week|weekend|month|year|spring|summer|autumn|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:a|an|one|two|three|four|five|six|\d+) (?:days?|weeks?|months?|years?) ago|recently|soon|gestern|heute|morgen|(?:letzte|nächste|kommende)[nrs]? \p{L}+)\b/iu;
const TOLD_DATE = /\b(?:19|20)\d\d\b/;

/** Figures of what was learned from dialogues, by the places of quotes and by words: a judge tells the rest. */
export function dialogueFigures(read: readonly ReadDialogue[]): DialogueFigures {
  const items = read.flatMap((each) => each.items);
  const part = <Each>(of: readonly Each[], isHit: (each: Each) => boolean): Part => {
    return { of: of.length, hits: of.filter(isHit).length };
  };
  const facts = read.flatMap((each) => each.dialogue.facts.map((fact) => ({ fact, each })));
  const byPeople = read.flatMap((each) => each.items.filter((item) => isByItsSubject(item, each)));
  const pairs = read.flatMap((each) =>
    each.dialogue.relations.map((relation) => ({ expected: relation.expected, found: relationIn(each, relation) })),
  );
  return {
    items: items.length,
    superseded: items.filter(({ supersededBy }) => supersededBy !== null).length,
    quoted: part(facts, ({ fact, each }) => itemsOf(each, fact).length > 0),
    openDates: part(items, ({ content }) => OPEN_DATE.test(content)),
    userStated: part(byPeople, ({ authority }) => authority === 'user_stated'),
    dated: part(
      items,
      ({ content, validFrom, validUntil }) => TOLD_DATE.test(content) || (validFrom ?? validUntil) !== null,
    ),
    relations: Object.fromEntries(
      [...Map.groupBy(pairs, ({ expected }) => expected)].map(([expected, some]) => [
        expected,
        part(some, ({ found }) => isAsExpected(found, expected)),
      ]),
    ),
    wrongPerson: wrongPersonOf(read),
  };
}

/** A refinement replaces what it refines, or joins it. */
function isAsExpected(found: string | undefined, expected: string): boolean {
  return found === expected || (expected === 'refines' && (found === 'same' || found === 'supersedes'));
}

/** Items that quote a message which shows the fact. */
export function itemsOf({ items, conversationIds }: ReadDialogue, fact: ReferenceFact): KnowledgeItem[] {
  const conversationId = conversationIds[fact.conversation];
  return items.filter(({ evidence }) =>
    evidence.some((one) => one.conversationId === conversationId && fact.messages.includes(one.messageIndex)),
  );
}

/** Relation in which the items of two facts ended; `undefined` if one of the facts has no item. */
function relationIn(each: ReadDialogue, { earlier, later }: Dialogue['relations'][number]) {
  const of = (id: string) => {
    const fact = each.dialogue.facts.find((known) => known.id === id);
    return fact === undefined ? [] : itemsOf(each, fact);
  };
  const [before, after] = [of(earlier), of(later)];
  if (before.length === 0 || after.length === 0) return undefined;
  if (before.some((item) => after.includes(item))) return 'same';
  const ids = new Set(after.map(({ id }) => id));
  const isReplaced = before.some(({ supersededBy }) => supersededBy !== null && ids.has(supersededBy));
  return isReplaced ? 'supersedes' : 'unrelated';
}

function isByItsSubject(item: KnowledgeItem, { messages }: ReadDialogue): boolean {
  const speakers = item.evidence.map(({ conversationId, messageIndex }) => {
    const said = messages.get(conversationId)?.[messageIndex];
    return said?.role === 'user' ? said.name : undefined;
  });
  return speakers.length > 0 && speakers.every((name) => name === item.subject.name);
}

/** Puts the name of each other speaker in the place of the one whom an item names, and checks that. */
function wrongPersonOf(read: readonly ReadDialogue[]): DialogueFigures['wrongPerson'] {
  const passed = read.flatMap(({ items, messages }) =>
    items.flatMap((item) => {
      const said = item.evidence.flatMap((one) => messages.get(one.conversationId) ?? []);
      const names = [
        ...new Set(said.flatMap(({ role, name }) => (role === 'user' && name !== undefined ? [name] : []))),
      ];
      const quotes = item.evidence.flatMap(({ conversationId, messageIndex, quote }): QuotedWords[] => {
        const message = messages.get(conversationId)?.[messageIndex];
        const listenerOf = listenersIn(messages.get(conversationId) ?? []);
        return message === undefined ? [] : [quotedWords(quote, message, listenerOf)];
      });
      const people = peopleOf(said);
      const mentioned = () => mentionedIn(said, () => false);
      return swapped(item.content, names).map((content) => ({
        withJudge: isFoundedOn(content, quotes, people, mentioned),
        withoutJudge: mayFollow(content, quotes, people),
      }));
    }),
  );
  return {
    of: passed.length,
    withJudge: passed.filter(({ withJudge }) => withJudge).length,
    withoutJudge: passed.filter(({ withoutJudge }) => withoutJudge).length,
  };
}

function swapped(content: string, names: readonly string[]): string[] {
  return names.flatMap((right) =>
    names.flatMap((wrong) => {
      if (right === wrong) return [];
      const [rightFirst = right] = right.split(' ');
      const [wrongFirst = wrong] = wrong.split(' ');
      const changed = content.replaceAll(right, wrong).replaceAll(rightFirst, wrongFirst);
      return changed === content ? [] : [changed];
    }),
  );
}
