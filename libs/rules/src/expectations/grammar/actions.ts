import type { ToolDefinition } from '@clew/contracts';
import { withoutTrailing } from '@clew/kernel';
import { toolCharacter } from '../../conversation/tool-names.ts';
import { stemOf } from '../stems.ts';
import { toolWords } from '../tool-words.ts';
import { isPerson } from './people.ts';

/** Tool offered to the agent, with the words of its name. */
interface OfferedTool {
  readonly name: string;
  readonly stems: readonly string[];
  /** Stems of the object it acts on: in `find_order_by_email` the order, not the e-mail address. */
  readonly objects: readonly string[];
}

/** Tools of a prompt, to which its phrases are matched. */
export interface OfferedTools {
  readonly all: readonly OfferedTool[];
  /** Names by lower-case name, as a prompt mentions them. */
  readonly byName: ReadonlyMap<string, string>;
}

export function offeredTools(tools: readonly Pick<ToolDefinition, 'name'>[]): OfferedTools {
  const names = [...new Set(tools.map((tool) => tool.name))];
  return {
    all: names.map((name) => {
      const words = toolWords(name);
      const by = words.findIndex((word, index) => index > 0 && QUALIFYING.has(word));
      return { name, stems: words.map(stemOf), objects: (by === -1 ? words : words.slice(0, by)).map(stemOf) };
    }),
    byName: new Map(names.map((name) => [name.toLowerCase(), name])),
  };
}

const QUALIFYING = new Set(['by', 'with', 'from', 'for', 'via', 'using']);

/** Verbs that mean the same in prompts. */
const SYNONYMS: readonly (readonly string[])[] = [
  'cancel terminate void',
  'delete remove erase drop',
  'create open add make',
  'update change modify edit amend alter',
  'book reserve',
  'reschedule move',
  'send issue',
  'submit file',
  'run execute',
  'close resolve',
  'notify contact inform',
  'purchase buy order',
  'get lookup look check retrieve fetch read view find search query track list load pull review inspect verify describe consult',
].map((group) => group.split(' ').map(stemOf));

const FILLERS = new Set(
  (
    'a an the any all each every of his her their your its this that these those some anything something everything ' +
    'new existing actual such one tool tools function functions call calls calling use using invoke invoking api ' +
    'directly yourself ever also'
  ).split(' '),
);
const PRONOUNS = new Set(['it', 'them', 'this', 'that', 'those', 'these', 'one']);
const EXPLICIT_FILLERS = new Set(
  'call calls calling use using used invoke invoking run running execute the tool tools function functions a an to you and or either with via by of first'.split(
    ' ',
  ),
);

/** Verb with its objects. */
interface Action {
  readonly verb: string;
  readonly objects: readonly string[];
}

export interface ResolvedAction {
  readonly tools: readonly string[];
  /** True if the words say everything that the tools' names say, so that nothing narrower can be meant. */
  readonly isExact: boolean;
  readonly objects: readonly string[];
}

/**
 * Resolves the tools that a phrase of a prompt names (`cancelling or changing a booking`, `` `cancel_booking` ``).
 * Undefined if a word says more than the tools' names do, or if one of its verbs names no tool.
 */
export function resolveAction(
  phrase: string,
  offered: OfferedTools,
  antecedents: readonly string[] = [],
): ResolvedAction | undefined {
  const words = wordsOf(phrase);
  const named = namedTools(phrase, offered);
  if (named.length > 0) {
    const isOnlyNames = words.every((word) => offered.byName.has(word) || EXPLICIT_FILLERS.has(word));
    return isOnlyNames ? { tools: named, isExact: true, objects: [] } : undefined;
  }
  const actions = actionsOf(phrase, offered, antecedents);
  if (actions.length === 0) return undefined;
  const found = actions.map((action) => toolsFor(action, offered));
  if (found.some((resolved) => resolved === undefined)) return undefined;
  const resolved = found.flatMap((one) => one ?? []);
  return {
    tools: [...new Set(resolved.flatMap(({ tools }) => tools))],
    isExact: resolved.every(({ isExact }) => isExact),
    objects: [...new Set(actions.flatMap(({ objects }) => objects))],
  };
}

const CALLING = new Set('call calling use using invoke invoking run running with via tool function'.split(' '));

/**
 * Finds the tools whose names occur in a text, whatever else it says. A name that is a plain word counts only after a
 * verb of calling.
 */
export function namedTools(text: string, offered: OfferedTools): string[] {
  const words = wordsOf(text);
  const named = words.flatMap((word, index) => {
    const name = offered.byName.get(word);
    const isPlainWord = /^[a-z]+$/.test(name ?? '');
    return name === undefined || (isPlainWord && !CALLING.has(words[index - 1] ?? '')) ? [] : [name];
  });
  return [...new Set(named)];
}

function wordsOf(phrase: string): string[] {
  return phrase.split(/[\s,;()/]+/).flatMap((word) => {
    const bare = withoutTrailing(word.replace(/^[^\p{L}\p{N}]+/u, ''), /[^\p{L}\p{N}]/u);
    return bare === '' ? [] : [bare];
  });
}

function actionsOf(phrase: string, offered: OfferedTools, antecedents: readonly string[]): Action[] {
  const verbs = knownVerbs(offered);
  const actions: { verb: string; objects: string[]; isOpen: boolean }[] = [];
  for (const part of phrase.split(/,\s?(?:or|and|nor)?\s|\s(?:or|and|nor)\s|\//)) {
    const words = wordsOf(
      part.replace(/\b(?:of|for|to|by|from) (?:the |your |an? )?\w+$/, (tail) =>
        isPerson(tail.split(' ').at(-1) ?? '') ? '' : tail,
      ),
    );
    const [first = '', ...others] = words.filter((word) => word !== 'you' && word !== 'to');
    const verb = stemOf(first);
    const isVerb = verbs.has(verb);
    const previous = actions.at(-1);
    const objectWords = isVerb ? others : [first, ...others];
    if (!isVerb && previous === undefined) return [];
    const usesPronoun = objectWords.some((word) => PRONOUNS.has(word));
    const objects = objectWords
      .filter((word) => !FILLERS.has(word) && !PRONOUNS.has(word) && !(isPerson(word) && word.includes("'")))
      .map(stemOf);
    const isOpen = objects.length === 0 && !objectWords.some((word) => /thing$/.test(word));
    const filled = usesPronoun && objects.length === 0 ? [...antecedents] : objects;
    actions.push({
      verb: isVerb ? verb : (previous?.verb ?? ''),
      objects: filled,
      isOpen: isOpen && filled.length === 0,
    });
  }
  // `create or cancel a booking`: the last object applies to all verbs.
  for (let index = actions.length - 2; index >= 0; index -= 1) {
    const action = actions[index];
    const next = actions[index + 1];
    if (action !== undefined && next !== undefined && action.isOpen) action.objects = next.objects;
  }
  return actions;
}

function knownVerbs(offered: OfferedTools): Set<string> {
  const verbs = new Set(offered.all.flatMap(({ stems }) => stems));
  for (const group of SYNONYMS) {
    if (group.some((verb) => verbs.has(verb))) for (const verb of group) verbs.add(verb);
  }
  return verbs;
}

/** Maximum number of tools in a family. */
const MAX_FAMILY = 6;

function toolsFor({ verb, objects }: Action, offered: OfferedTools): { tools: string[]; isExact: boolean } | undefined {
  const synonyms = SYNONYMS.filter((group) => group.includes(verb)).flat();
  const candidates = (accepted: (stem: string) => boolean): OfferedTool[] =>
    offered.all.filter(
      ({ stems, objects: acted }) =>
        stems.some(accepted) && objects.every((object) => object !== verb && acted.includes(object)),
    );
  const direct = candidates((stem) => stem === verb);
  const found = direct.length > 0 || objects.length === 0 ? direct : candidates((stem) => synonyms.includes(stem));
  if (found.length === 0 || found.length > MAX_FAMILY) return undefined;
  const exact = found.filter(({ stems }) => stems.filter((stem) => !objects.includes(stem)).length <= 1);
  const tools = (exact.length > 0 ? exact : found).map(({ name }) => name);
  return { tools, isExact: exact.length > 0 };
}

const CHANGE_CLASS = [
  /^(?:(?:taking|performing|executing|making|you (?:take|perform|execute|make)) )?(?:any|all|every|each|a|the)?\s?(?:such )?(?:action|operation|change|step|call|tool call|modification|update|request)s? (?:that|which) (?:will |would |could |can )?(?:change|update|modif(?:y|ie)|write|alter|affect|mutate|edit)[a-z]*(?: to)?(?: the| an?| any)?(?: [a-z]+){0,3}(?: ?\(([^()]+)\))?$/,
  /^(?:making|you make|applying|you apply)(?: an?y?| the)? (?:change|modification|update|edit)s?(?: to (?:the |an? |any )?(?:[a-z]+ ){0,2}[a-z]+)?(?: ?\(([^()]+)\))?$/,
  /^(?:(?:taking|performing|executing|making|you (?:take|perform|execute|make)) )?(?:an?y?|all|the)?\s?(?:write|writing|destructive|irreversible|state-changing|consequential|mutating|modifying|critical|sensitive) (?:action|operation|change|step|call|tool call|tool)s?(?: ?\(([^()]+)\))?$/,
  /^you (?:change|modify|update) anything(?: ?\(([^()]+)\))?$/,
  /^(?:changing|modifying|updating) anything(?: ?\(([^()]+)\))?$/,
  /^(?:any|all|every) changes?(?: ?\(([^()]+)\))?$/,
];
const SENDING = new Set(['send', 'issu', 'run', 'execut', 'submit', 'post', 'search'].map(stemOf));

/**
 * Resolves `any action that changes ...`: the tools in its brackets if each entry names one, otherwise all that change.
 */
export function resolveChanges(phrase: string, offered: OfferedTools): ResolvedAction | undefined {
  const match = CHANGE_CLASS.map((pattern) => pattern.exec(phrase.trim())).find((found) => found !== null);
  if (match == null) return undefined;
  const listed =
    match[1] === undefined
      ? undefined
      : resolveAction(match[1].replace(/^(?:such as|e\.g\.|like|for example) /, ''), offered);
  if (listed !== undefined) return listed;
  const changing = offered.all.filter(({ name, stems }) => {
    const { changes, notifies, handsOver, answers } = toolCharacter(name);
    return changes && !notifies && !handsOver && !answers && !stems.some((stem) => SENDING.has(stem));
  });
  return changing.length === 0 ? undefined : { tools: changing.map(({ name }) => name), isExact: true, objects: [] };
}

const EVERYTHING_ELSE =
  /^(?:(?:calling|using|invoking|you (?:call|use|invoke)) )?(?:any |all )?other (?:tool|function|action)s?(?: calls?)?$|^(?:doing|you do) anything(?: else)?$|^anything else$|^(?:taking|you take|performing) any (?:other )?actions?$|^(?:calling|using|you (?:call|use)) (?:any(?:thing)? (?:other )?(?:tool|function)s?|anything else)$/;

export function isEverythingElse(phrase: string): boolean {
  return EVERYTHING_ELSE.test(phrase.trim());
}
