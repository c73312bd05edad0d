import { getSnapshot } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import { answerQuestions } from '@clew/runtime/thread';
import { evaluateSnapshot } from './evaluate-snapshot.ts';
import type { EvaluationTask } from './evaluation.ts';

answerQuestions(({ snapshotJson, rules }: EvaluationTask) => {
  const snapshot = getSnapshot.responses[200].parse(readJson(new TextDecoder().decode(snapshotJson)));
  return evaluateSnapshot(snapshot, rules);
});
