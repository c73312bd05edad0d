import { describe, expect, it } from '@jest/globals';
import { readJson } from '@clew/kernel';
import { BUILT_IN_RULES, diagnose, evaluateRule } from '@clew/rules';
import { leastThreadTimeOf, MIN_SHARE, silentLogger, threadTimeOf } from '@clew/testing';
import { CORRECTED, snapshotOfTexts } from '../test-support/warehouse.ts';
import { createEvaluateInThread } from './evaluate-in-thread.ts';
import { evaluateSnapshot } from './evaluate-snapshot.ts';
import type { EvaluationTask } from './evaluation.ts';

const RULES = BUILT_IN_RULES.map(({ ruleId, defaultConfiguration: configuration }) => ({ ruleId, configuration }));
const MAX_BLOCKED_MS = 50;

const evaluate = createEvaluateInThread({ deadlineMs: 60_000, logger: silentLogger() });

function taskOf(texts: readonly string[]): EvaluationTask & { text: string } {
  const text = JSON.stringify(snapshotOfTexts('prj_1', texts));
  return { snapshotJson: new TextEncoder().encode(text), rules: RULES, text };
}

/** Long conversation in which the user complains again and again. */
function longConversation(): string[] {
  return Array.from({ length: 1_000 }, (_, index) =>
    index % 2 === 0
      ? `No, that's wrong, I meant the other one, number ${index}. ${'Where is the parcel of my sister? '.repeat(10)}`
      : `I am sorry. ${`Which number does the order have? It is ${index} in my list. `.repeat(6)}`,
  );
}

describe('the evaluation in a thread', () => {
  it('finds what each Rule finds, and concludes from it, as a worker does', async () => {
    const evaluation = await evaluate('prj_1', taskOf(CORRECTED));
    const read = snapshotOfTexts('prj_1', CORRECTED);
    expect(evaluation).toEqual(evaluateSnapshot(read, RULES));
    expect(evaluation?.problems).toEqual([]);
    const found = BUILT_IN_RULES.flatMap((rule) => evaluateRule(rule, read, rule.defaultConfiguration));
    const { score, suspects, detections } = diagnose(read, found);
    expect(evaluation).toMatchObject({
      snapshot: { snapshotId: read.snapshotId, revision: 1, throughMs: read.throughMs },
      runs: BUILT_IN_RULES.map(({ ruleId }) => ({
        rule: { ruleId },
        outcome: { status: 'succeeded', detections: detections.filter((each) => each.ruleId === ruleId) },
      })),
      diagnosis: { score, suspects },
    });
  });

  it('costs the event loop a small part of what a long conversation takes, which is far more than it may be blocked', async () => {
    const { text } = taskOf(longConversation());
    const inlineMs = await threadTimeOf(() =>
      evaluateSnapshot(readJson(text) as ReturnType<typeof snapshotOfTexts>, RULES),
    );
    expect(inlineMs).toBeGreaterThan(2 * MAX_BLOCKED_MS);
    const usedMs = await leastThreadTimeOf(async () => {
      const { text: _text, ...task } = taskOf(longConversation());
      expect((await evaluate('prj_1', task))?.runs).toHaveLength(RULES.length);
    });
    // Total time used, so no single step can have been longer. Compared as a share, because machines differ in speed.
    expect(usedMs).toBeLessThan(inlineMs / MIN_SHARE);
  }, 120_000);

  it('ends at its deadline, with nothing', async () => {
    const hurried = createEvaluateInThread({ deadlineMs: 1, logger: silentLogger() });
    expect(await hurried('prj_1', taskOf(longConversation()))).toBeUndefined();
  });

  it('says nothing of what cannot be read', async () => {
    const snapshotJson = new TextEncoder().encode('{"messages":[{}]}');
    expect(await evaluate('prj_1', { snapshotJson, rules: RULES })).toBeUndefined();
  });

  it('takes many at once, has each wait for its turn, and no project for all that another has it do', async () => {
    const ended: string[] = [];
    const evaluated = async (projectId: string, task: EvaluationTask) => {
      expect((await evaluate(projectId, task))?.runs).toHaveLength(RULES.length);
      ended.push(projectId);
    };
    // Threads that have to start first take longer than what they are asked for.
    await Promise.all(['prj_many', 'prj_many', 'prj_one'].map((projectId) => evaluate(projectId, taskOf(CORRECTED))));
    const many = Array.from({ length: 6 }, () => evaluated('prj_many', taskOf(CORRECTED)));
    await Promise.all([...many, evaluated('prj_one', taskOf(CORRECTED))]);
    expect(ended).toHaveLength(many.length + 1);
    expect(ended.indexOf('prj_one')).toBeLessThan(4);
  }, 120_000);
});
