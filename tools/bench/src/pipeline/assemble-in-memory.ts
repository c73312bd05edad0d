// node --conditions=clew-source assemble-in-memory.ts <file>: each line of the file holds the telemetry groups of one
// conversation.
// Assembles and evaluates each conversation, and prints the processor milliseconds per conversation.
import { readFileSync } from 'node:fs';
import type { ConversationSnapshot, TelemetryGroup } from '@clew/contracts';
import { assembleConversation } from '@clew/conversation';
import { BUILT_IN_RULES, evaluateRule } from '@clew/rules';

const [file = ''] = process.argv.slice(2);
const lines = readFileSync(file, 'utf8').split('\n');
const startedAt = process.cpuUsage();
for (const line of lines) evaluate(JSON.parse(line) as TelemetryGroup[]);
const { user, system } = process.cpuUsage(startedAt);
process.stdout.write(`${(user + system) / 1_000 / lines.length}\n`);

function evaluate(groups: readonly TelemetryGroup[]): void {
  const assembled = assembleConversation({
    spans: groups.flatMap(({ spans, resource, scopeName }) => spans.map((span) => ({ ...span, resource, scopeName }))),
    logs: groups.flatMap(({ logs }) => logs),
  });
  const snapshot: ConversationSnapshot = {
    ...assembled,
    ...{
      projectId: 'prj_bench',
      conversationId: 'bench',
      snapshotId: 'cesr_bench',
      revision: 1,
      scope: 'conversation',
    },
    throughMs: assembled.lastActivityAt,
  };
  for (const rule of BUILT_IN_RULES) evaluateRule(rule, snapshot, rule.defaultConfiguration);
}
