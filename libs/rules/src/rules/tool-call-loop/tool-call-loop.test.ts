import { describe, expect, it } from '@jest/globals';
import {
  assistant,
  called,
  calls,
  conversation,
  detect,
  failed,
  firedSignals,
  repeated,
  user,
  type ScriptedMessage,
} from '../../test-support/conversation.ts';
import { toolCallLoop } from './tool-call-loop.ts';

type Script = readonly (ScriptedMessage | ScriptedMessage[])[];

const ask = user('What does the config say?');
const answer = assistant('It says that the port is 8080.');
const read = (): ScriptedMessage[] => called('read_file', { path: 'config.yaml' }, 'port: 8080');

describe('a loop is reported', () => {
  const scripts: readonly (readonly [string, Script, string[]])[] = [
    ['the same call three times', [ask, repeated(3, read), answer], ['identical_call_repeated']],
    ['and no answer at the end', [ask, repeated(3, read)], ['identical_call_repeated', 'loop_without_answer']],
    [
      'arguments in another order and spelling',
      [
        ask,
        called('search', { q: 'Port', limit: 5 }, '[]'),
        called('search', { limit: 5, q: 'port ' }, '[]'),
        called('search', { q: 'port', limit: 5 }, '[]'),
        answer,
      ],
      [],
    ],
    [
      'results that differ in a time stamp only',
      [
        ask,
        repeated(3, (round) =>
          called('get_order', { id: 1 }, { state: 'shipped', as_of: `2026-11-20T10:0${round}:00Z` }),
        ),
        answer,
      ],
      ['identical_call_repeated'],
    ],
    [
      'two calls in turn',
      [ask, repeated(3, () => [...read(), ...called('list_files', { dir: '.' }, 'config.yaml')]), answer],
      ['call_cycle_repeated'],
    ],
    [
      'three calls in turn',
      [
        ask,
        repeated(3, () => [...read(), ...called('list_files', {}, 'a'), ...called('search', { q: 'x' }, '[]')]),
        answer,
      ],
      ['call_cycle_repeated'],
    ],
    [
      'the same call three times in one message',
      [
        ask,
        calls(...Array.from({ length: 3 }, () => ({ name: 'read_file', arguments: { path: 'a' } }))),
        ...Array.from({ length: 3 }, (): ScriptedMessage => ({ role: 'tool', name: 'read_file', content: 'x' })),
        answer,
      ],
      ['identical_call_repeated'],
    ],
    [
      'polling that never stops',
      [ask, repeated(6, () => called('get_job', { id: 1 }, { state: 'pending' })), answer],
      ['identical_call_repeated'],
    ],
    [
      'retrying that never stops',
      [ask, repeated(5, () => failed('fetch', {}, '503 Service Unavailable')), answer],
      ['identical_call_repeated'],
    ],
  ];
  it.each(scripts.filter(([, , signals]) => signals.length > 0))('%s', (_, script, signals) => {
    expect(firedSignals(toolCallLoop, script)).toEqual(signals);
  });
});

describe('repetition with a reason is not reported', () => {
  const scripts: readonly (readonly [string, Script])[] = [
    ['twice only', [ask, repeated(2, read), answer]],
    ['other arguments each time', [ask, repeated(5, (round) => called('list_rows', { page: round }, 'row')), answer]],
    [
      'other results each time',
      [ask, repeated(5, (round) => called('get_job', { id: 1 }, { percent: round * 20 })), answer],
    ],
    [
      'polling until it is done',
      [
        ask,
        repeated(4, () => called('get_job', { id: 1 }, { state: 'pending' })),
        called('get_job', { id: 1 }, { state: 'done' }),
        answer,
      ],
    ],
    [
      'polling with patience',
      [ask, repeated(5, () => called('wait_for_job', { id: 1 }, { state: 'running' })), answer],
    ],
    ['going on step by step', [ask, repeated(5, () => called('scroll_down', {}, 'ok')), answer]],
    [
      'retrying a passing failure until it works',
      [ask, repeated(3, () => failed('fetch', {}, 'timed out')), called('fetch', {}, 'page'), answer],
    ],
    ['retrying a passing failure three times', [ask, repeated(3, () => failed('fetch', {}, 'timed out')), answer]],
    ['once in each turn', repeated(4, () => [ask, ...read(), answer])],
    [
      'tests between edits',
      [
        ask,
        repeated(4, (round) => [...called('edit', { line: round }, 'ok'), ...called('run_tests', {}, '1 failed')]),
        answer,
      ],
    ],
  ];
  it.each(scripts)('%s', (_, script) => {
    expect(detect(toolCallLoop, conversation(script))).toEqual([]);
  });

  it('calls whose results were not recorded count only when they go on', () => {
    const unseen = (count: number): Script => [
      ask,
      repeated(count, () => [calls({ name: 'search', arguments: { q: 1 } })]),
      answer,
    ];
    expect(firedSignals(toolCallLoop, unseen(3))).toEqual([]);
    expect(firedSignals(toolCallLoop, unseen(6))).toEqual(['identical_call_repeated']);
  });
});

describe('the cluster of a loop', () => {
  const fingerprint = (script: Script): string | undefined =>
    detect(toolCallLoop, conversation(script))[0]?.clusterFingerprint;
  const cycle = (first: string, second: string): ScriptedMessage[] =>
    repeated(3, () => [...called(first, {}, 'x'), ...called(second, {}, 'y')]);

  it('does not depend on the arguments or the number of rounds', () => {
    const other = repeated(5, () => called('read_file', { path: 'other.yaml' }, 'port: 9090'));
    expect(fingerprint([ask, other, answer])).toBe(fingerprint([ask, repeated(3, read), answer]));
  });

  it('does not depend on where the circle is entered, but on its tools', () => {
    expect(fingerprint([ask, cycle('b', 'a'), answer])).toBe(fingerprint([ask, cycle('a', 'b'), answer]));
    expect(fingerprint([ask, cycle('a', 'c'), answer])).not.toBe(fingerprint([ask, cycle('a', 'b'), answer]));
  });

  it('its evidence names each call of the loop', () => {
    const [detection] = detect(toolCallLoop, conversation([ask, repeated(4, read), answer]));
    expect(detection?.evidence.filter((evidence) => evidence.kind === 'tool_call')).toHaveLength(4);
    expect(detection?.anchor.stepIndex).toBe(1);
  });
});
