import type { ConversationSnapshot } from '@clew/contracts';
import { oncePer } from '../conversation/once-per.ts';
import { isChange } from '../judgement/changes.ts';
import { findPhrase } from '../text/phrases.ts';
import { sentencesOf } from '../text/sentences.ts';
import { jsonLeaves } from '../values/json-leaves.ts';
import { viewOf, type ConversationView, type ViewedCall } from '../view/conversation-view.ts';
import { STATE_FORBIDS } from '../vocabulary/refusals.ts';
import { keyWords } from './result-facts.ts';

/** Change that was refused because of the state into which an earlier change had brought the same thing. */
export interface DeniedChange {
  readonly first: ViewedCall;
  readonly denied: ViewedCall;
  /** Id of the thing. */
  readonly thing: string;
  /** State after the first change, in the words of its result. */
  readonly state: string;
}

/**
 * Finds the denied changes, by the denied call. Two changes belong together only by the same id, and if the first one
 * changed the state of that thing: its result gives a state that no result before it had for the id.
 */
export const deniedByOwnChange: (snapshot: ConversationSnapshot) => ReadonlyMap<ViewedCall, DeniedChange> =
  oncePer(findDenied);

function findDenied(snapshot: ConversationSnapshot): Map<ViewedCall, DeniedChange> {
  const view = viewOf(snapshot);
  const found = new Map<ViewedCall, DeniedChange>();
  const changed = new Map<string, { first: ViewedCall; state: string }>();
  for (const call of view.calls.filter(isChange).slice(0, MAX_CHANGES)) {
    const { error, result } = call;
    if (result === undefined) continue;
    for (const thing of thingsOf(call)) {
      if (error === undefined) {
        const state = newStateOf(view, call, thing);
        if (state !== undefined && !changed.has(thing)) changed.set(thing, { first: call, state });
      } else if (sentencesOf(error.text).some((sentence) => findPhrase(STATE_FORBIDS, sentence) !== undefined)) {
        const earlier = changed.get(thing);
        if (earlier !== undefined && !found.has(call)) found.set(call, { ...earlier, denied: call, thing });
      }
    }
  }
  return found;
}

/** Changes that are read, and results before each: enough for a conversation with a person. */
const MAX_CHANGES = 200;
const MAX_BEFORE = 60;
const MAX_LEAVES = 200;
const IS_ID = /^(?=.{0,80}\p{N})(?!\d{4}-\d\d)\S{3,80}$/u;

/** Words of keys that name who acts or pays, and not the thing that is changed. */
const PERSONS = new Set('user customer client member owner agent author sender payment method card account'.split(' '));

/** Ids among a call's arguments, which name the things that it changes. */
function thingsOf(call: ViewedCall): ReadonlySet<string> {
  const ids = call.leaves.slice(0, MAX_LEAVES).filter(({ value }) => IS_ID.test(String(value)));
  const things = ids.filter(({ key }) => !keyWords(key).some((word) => PERSONS.has(word)));
  return new Set(things.map(({ value }) => String(value).toLowerCase()));
}

/** State of a thing after a change, if its result tells one and no earlier result told it for the same thing. */
function newStateOf(view: ConversationView, call: ViewedCall, thing: string): string | undefined {
  const { result } = call;
  if (result === undefined) return undefined;
  const state = stateIn(view, result);
  if (state === undefined) return undefined;
  const before = view.messages
    .slice(0, call.position)
    .filter(({ role }) => role === 'tool')
    .slice(-MAX_BEFORE);
  const had = before.some((told) => stateIn(view, told) === state && told.content.toLowerCase().includes(thing));
  return had ? undefined : state;
}

const STATE_KEYS = new Set(['status', 'state']);

function stateIn(view: ConversationView, result: Parameters<ConversationView['json']>[0]): string | undefined {
  const json = view.json(result);
  const leaf = json === undefined ? undefined : jsonLeaves(json).find(({ key }) => keyWords(key).some(isStateWord));
  return leaf === undefined ? undefined : String(leaf.value).toLowerCase();
}

function isStateWord(word: string): boolean {
  return STATE_KEYS.has(word) || STATE_KEYS.has(`${word}s`);
}
