import { grouped, interval, resampled, rocAuc, rounded } from './resample.ts';

/** A conversation with its label and what the system says about it. */
export interface ScoredConversation {
  readonly taskId: string;
  readonly failed: boolean;
  readonly score: number;
  /** The baseline: how many messages it has. */
  readonly length: number;
}

const RESAMPLES = 2000;

/** ROC AUC of the score beside that of length alone, with intervals over tasks, and how often the score is better. */
export function scoreFigures(conversations: readonly ScoredConversation[]): object {
  const lengths = (items: readonly ScoredConversation[]): number =>
    rocAuc(items.map(({ length, failed }) => ({ score: length, failed })));
  const tasks = grouped(conversations, ({ taskId }) => taskId);
  const pairs = resampled(tasks, (items) => ({ auc: rocAuc(items), baseline: lengths(items) }), RESAMPLES).filter(
    ({ auc }) => !Number.isNaN(auc),
  );
  const leftOut = tasks.map((task) => {
    const others = conversations.filter((conversation) => !task.includes(conversation));
    return rocAuc(others);
  });
  return {
    conversations: conversations.length,
    tasks: tasks.length,
    auc: rounded(rocAuc(conversations)),
    interval: interval(pairs.map(({ auc }) => auc)),
    lengthAuc: rounded(lengths(conversations)),
    lengthInterval: interval(pairs.map(({ baseline }) => baseline)),
    betterThanLength: rounded(pairs.filter(({ auc, baseline }) => auc > baseline).length / pairs.length),
    withoutOneTask: [rounded(Math.min(...leftOut)), rounded(Math.max(...leftOut))],
  };
}
