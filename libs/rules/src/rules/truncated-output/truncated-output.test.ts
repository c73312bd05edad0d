import { describe, expect, it } from '@jest/globals';
import {
  assistant,
  called,
  calls,
  conversation,
  detect,
  firedSignals,
  user,
  type ScriptedMessage,
} from '../../test-support/conversation.ts';
import { truncatedOutput } from './truncated-output.ts';

type Script = readonly (ScriptedMessage | ScriptedMessage[])[];

const ask = user('Write me a report, please.');
const prose = `${'The region grew in the last year, as it had done in the year before. '.repeat(4)}The main reason for that was`;

function ended(content: string, finishReason?: string): ScriptedMessage {
  return { role: 'assistant', content, ...(finishReason === undefined ? {} : { finishReason }) };
}

describe('a blatant case is reported', () => {
  const scripts: readonly (readonly [string, Script, readonly string[]])[] = [
    ...['length', 'max_tokens', 'MAX_TOKENS', 'max_output_tokens', 'model_length'].map(
      (reason) => [`finish reason ${reason}`, [ask, ended('The report begins', reason)], ['output_cut_off']] as const,
    ),
    ...['content_filter', 'SAFETY', 'guardrail_intervened'].map(
      (reason) => [`finish reason ${reason}`, [ask, ended('', reason)], ['output_filtered']] as const,
    ),
    ['an empty answer', [ask, ended('', 'stop')], ['empty_output']],
    ['an answer of white space without a finish reason', [ask, ended(' \n ')], ['empty_output']],
    [
      'an answer of reasoning only',
      [ask, { ...ended('', 'stop'), reasoning: 'The user wants a report.' }],
      ['empty_output'],
    ],
    ['an empty answer after a tool call', [ask, called('get_sales', {}, [1]), ended('', 'stop')], ['empty_output']],
    ['a call that failed', [ask, { ...ended(''), error: { type: 'timeout', message: 'timed out' } }], ['empty_output']],
    [
      'a cut-off step in the middle of a turn',
      [ask, ended('First I', 'length'), assistant('Here it is.')],
      ['output_cut_off'],
    ],
    [
      'a text that ends in the middle, and the user asks for the rest',
      [ask, ended(prose), user('It got cut off, please continue'), assistant('Two new stores.')],
      ['ends_mid_sentence', 'continuation_requested'],
    ],
    [
      'a code block that is not closed, and the user asks for the rest',
      [ask, ended('```js\nconst a = [1,\n'), user('continue'), assistant('2];')],
      ['unclosed_structure', 'continuation_requested'],
    ],
  ];
  it.each(scripts)('%s', (_, script, signals) => {
    expect(firedSignals(truncatedOutput, script)).toEqual(signals);
  });
});

describe('a weak hint alone is not reported, but is there for who lowers the thresholds', () => {
  const hints: readonly (readonly [string, string, string])[] = [
    ['a text that ends in the middle', prose, 'ends_mid_sentence'],
    ['a code block that is not closed', 'Here:\n```js\nconst a = 1;\n', 'unclosed_structure'],
    [
      'JSON that is not closed',
      '{"regions": [{"name": "North", "revenue": 4210000}, {"name": "So',
      'unclosed_structure',
    ],
  ];
  it.each(hints)('%s', (_, content, signal) => {
    expect(firedSignals(truncatedOutput, [ask, ended(content)])).toEqual([]);
    const lowered = { minSignalScore: 0.3, minDiagnosticConfidence: 0.3 };
    expect(firedSignals(truncatedOutput, [ask, ended(content)], lowered)).toEqual([signal]);
  });
});

describe('what is as it should be is not reported, however low the thresholds', () => {
  const scripts: readonly (readonly [string, Script])[] = [
    ['an answer', [ask, assistant('Here is the report.')]],
    ['a conversation that waits for the agent', [ask]],
    ['a conversation that waits for a tool', [ask, calls({ name: 'get_sales', arguments: {} })]],
    ['an empty text with a tool call', [ask, called('get_sales', {}, [1]), assistant('Sales are fine.')]],
    ['an empty step that is made good', [ask, ended('', 'stop'), assistant('Here is the report.')]],
    ['an empty text after handing over', [ask, called('transfer_to_human', {}, 'ok'), ended('', 'stop')]],
    [
      'an empty text after answering by a tool',
      [ask, called('respond_to_user', { text: 'Hi' }, 'sent'), ended('', 'stop')],
    ],
    ['a picture', [ask, { ...ended('', 'stop'), attachments: [{ type: 'image' }] }]],
    ['a conversation without recorded content', [user(''), ended('', 'stop')]],
    ['a closed code block', [ask, ended('```js\nconst a = 1;\n```')]],
    ['whole JSON', [ask, ended('{"regions": [{"name": "North [old]"}]}')]],
    ['a list', [ask, ended(`${prose} this.\n\n- more stores\n- a second brand in the north of the country`)]],
    ['a link at the end', [ask, ended(`${prose} this. Read on under https://example.com/report`)]],
    ['a short text without a full stop', [ask, ended('Sure thing')]],
  ];
  it.each(scripts)('%s', (_, script) => {
    const lowered = { minSignalScore: 0.1, minDiagnosticConfidence: 0.1 };
    expect(detect(truncatedOutput, conversation(script), lowered)).toEqual([]);
  });
});

describe('settings and clusters', () => {
  it('keywords of the project are further finish reasons for a cut-off output', () => {
    const script = [ask, ended('The report', 'budget_reached')];
    expect(firedSignals(truncatedOutput, script)).toEqual([]);
    expect(firedSignals(truncatedOutput, script, { keywords: ['budget reached'] })).toEqual(['output_cut_off']);
  });

  it('one cluster for each agent and way of ending', () => {
    const fingerprint = (message: ScriptedMessage, agent = 'assistant'): string | undefined =>
      detect(truncatedOutput, conversation([ask, message], { agents: [agent] }))[0]?.clusterFingerprint;
    expect(fingerprint(ended('One', 'max_tokens'))).toBe(fingerprint(ended('Two', 'length')));
    expect(fingerprint(ended('', 'content_filter'))).not.toBe(fingerprint(ended('Two', 'length')));
    expect(fingerprint(ended('One', 'length'), 'other')).not.toBe(fingerprint(ended('Two', 'length')));
  });

  it('an empty output has no quote, a cut-off one is quoted at its end', () => {
    const [empty] = detect(truncatedOutput, conversation([ask, ended('')]));
    expect(empty?.anchor.quotes).toEqual([]);
    const [cut] = detect(truncatedOutput, conversation([ask, ended(prose, 'length')]));
    expect(cut?.anchor.quotes[0]?.quote.endsWith('The main reason for that was')).toBe(true);
  });
});
