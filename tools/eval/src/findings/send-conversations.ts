import { exportSpans } from '@clew/seed';
import type { StackFile } from '@clew/stack';
import { encodeConversation, type Dialect } from '@clew/testing/dialects';
import type { LabelledConversation } from '../labelled/labelled-conversations.ts';
import type { EvaluatedProject } from './evaluated-project.ts';

const HOUR_MS = 3_600_000;

/** Sends conversations without their labels to a project; resolves once their Rules have run. */
export async function sendTo(
  stack: StackFile,
  project: EvaluatedProject,
  conversations: readonly LabelledConversation[],
  dialect: Dialect,
): Promise<void> {
  const spans = conversations.flatMap(
    ({ script }) =>
      encodeConversation(script, {
        dialect,
        startMs: Date.now() - HOUR_MS,
        idSeed: `${dialect}-${script.conversationId}`,
      }).spans,
  );
  await exportSpans({ gatewayUrl: stack.gatewayUrl, apiKey: project.apiKey, spans });
  await project.untilAnalysed(conversations.length);
  process.stderr.write(`${dialect}: ${conversations.length} conversations, ${spans.length} spans\n`);
}
