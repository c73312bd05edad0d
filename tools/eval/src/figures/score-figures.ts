import { grouped, interval, resampled, rocAuc, rounded } from './resample.ts';

/** Conversation with its label and the system's score. */
export interface ScoredConversation {
  readonly taskId: string;
  readonly failed: boolean;
  readonly score: number;
  /** Number of messages, which serves as the baseline. */
  readonly length: number;
}

const RESAMPLES = 2000;

/** ROC AUC of the score and of the length alone, with intervals over tasks, and how often the score is better. */
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
