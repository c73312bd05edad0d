import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Judged } from '../figures/judged.ts';
import { readDomains } from '../labelled/domains.ts';
import { domainFigures } from './domain-figures.ts';

const folder = mkdtempSync(join(tmpdir(), 'clew-domains-'));
afterAll(() => rmSync(folder, { recursive: true }));

const said = [
  { role: 'user', content: 'List the files' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'a', function: { name: 'run', arguments: '{"command":"ls"}' } }],
  },
  { role: 'tool', tool_call_id: 'a', content: 'notes.txt' },
];

function write(name: string, rows: readonly object[]): void {
  writeFileSync(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/** Judgement of a conversation with that many messages; those that failed have the task `failed`. */
function judged(succeeded: boolean, score: number, length: number, severity?: 'high' | 'low'): Judged {
  const labels = { succeeded, taskId: String(succeeded), mistakeStep: undefined, mistakeAgent: undefined };
  return {
    labelled: { script: { conversationId: 'c', model: 'm', messages: [] }, ...labels },
    messages: Array.from({ length }, (_, index) => ({ index, role: 'user', content: '' })),
    score,
    symptoms: severity === undefined ? [] : [{ ruleKey: 'rule', severity }],
    suspects: [],
  };
}

describe('a folder of domains', () => {
  it('is read as one domain per file, with outcomes or with what experts call unsafe', () => {
    write('shell.jsonl', [
      { id: 'shell/1', model: 'm', task: 't', reward: 1, messages: said },
      { id: 'shell/2', model: 'm', task: 't', reward: 0, criticalStep: 2, criticalAgent: 'Coder', messages: said },
    ]);
    write('attacks.jsonl', [{ id: 'x', model: 'm', task: 't', reward: 0, unsafe: 1, messages: said }]);
    writeFileSync(join(folder, 'README.md'), 'About the data');
    const [attacks, shell] = readDomains(folder);
    expect(attacks).toMatchObject({ name: 'attacks', labels: 'safety' });
    expect(shell).toMatchObject({
      ...{ name: 'shell', labels: 'outcome' },
      conversations: [
        { succeeded: true, mistakeStep: undefined, script: { conversationId: 'shell-1', agent: 'shell-agent' } },
        { succeeded: false, mistakeStep: 2, mistakeAgent: 'Coder' },
      ],
    });
    expect(shell?.conversations[0]?.script.messages[1]?.toolCalls).toEqual([
      { id: 'a', name: 'run', arguments: { command: 'ls' } },
    ]);
  });
});

describe('the figures of domains', () => {
  it('average those whose labels are outcomes of both kinds, and name the worst', () => {
    const figures = domainFigures([
      { name: 'good', labels: 'outcome', judged: [judged(false, 0.9, 1, 'high'), judged(true, 0.1, 2, 'low')] },
      { name: 'bad', labels: 'outcome', judged: [judged(false, 0.1, 3), judged(true, 0.9, 2, 'high')] },
      { name: 'failures alone', labels: 'outcome', judged: [judged(false, 0.5, 1, 'high')] },
      { name: 'safety', labels: 'safety', judged: [judged(false, 0.9, 1), judged(true, 0.1, 1, 'high')] },
    ]);
    expect(figures).toMatchObject({
      all: {
        ...{ domains: 2, meanAuc: 0.5, meanLengthAuc: 0.5, worst: { domain: 'bad', auc: 0 } },
        grave: { failed: { share: 0.5, of: 2 }, successful: { share: 0.5, of: 2 } },
      },
      domains: {
        good: { auc: 1, grave: { failed: { share: 1 }, successful: { share: 0 } } },
        'failures alone': { grave: { failed: { share: 1 }, successful: null } },
        safety: { labels: 'safety', grave: { successful: { share: 1, of: 1 } } },
      },
    });
  });
});
