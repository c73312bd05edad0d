import type { ConversationSnapshot } from '@clew/contracts';
import { compilePrompt, evaluateExpectation, type ExpectationProposal } from '@clew/rules';
import { readTauBench, type LabelledConversation } from '../labelled/labelled-conversations.ts';

interface Figures {
  form: string;
  quote: string;
  brokenInFailed: number;
  brokenInSuccessful: number;
}

/**
 * Compiles the prompts of the labelled conversations to Expectations, and counts how many conversations break each one,
 * among the failed and the successful ones. It needs no stack, because it calls only pure functions. It prints each
 * step that breaks an Expectation in a successful conversation, because either the agent or the check is wrong there.
 */
export function evaluateExpectations(dataFolder: string): Promise<object> {
  const conversations = readTauBench(dataFolder);
  const tools = toolsCalledIn(conversations);
  const prompts = new Set(conversations.flatMap(({ script }) => script.messages.filter(isPrompt).map(textOf)));
  const proposals = [...prompts].flatMap((prompt) => compilePrompt(prompt, tools));
  const figures = proposals.map((proposal) => figuresOf(proposal, conversations));
  const count = (succeeded: boolean): number => conversations.filter((one) => one.succeeded === succeeded).length;
  const counts = { failed: count(false), successful: count(true), prompts: prompts.size };
  return Promise.resolve({ ...counts, expectations: figures });
}

function figuresOf(proposal: ExpectationProposal, conversations: readonly LabelledConversation[]): Figures {
  let [brokenInFailed, brokenInSuccessful] = [0, 0];
  for (const { script, succeeded } of conversations) {
    const violations = evaluateExpectation(proposal, snapshotOf(script));
    if (violations.length === 0) continue;
    if (!succeeded) brokenInFailed += 1;
    else brokenInSuccessful += 1;
    for (const { message, reason, evidence } of succeeded ? violations : []) {
      process.stdout.write(`${script.conversationId}, step ${message.index}: ${reason} ${evidence[0].quote ?? ''}\n`);
    }
  }
  return { form: proposal.check.form, quote: proposal.quote, brokenInFailed, brokenInSuccessful };
}

type Script = LabelledConversation['script'];

function isPrompt({ role }: Script['messages'][number]): boolean {
  return role === 'system';
}

function textOf({ content }: Script['messages'][number]): string {
  return content;
}

/** Tools that were called: the files hold no tool definitions, so each called tool counts as offered. */
function toolsCalledIn(conversations: readonly LabelledConversation[]): { name: string }[] {
  const calls = conversations.flatMap(({ script }) => script.messages.flatMap(({ toolCalls }) => toolCalls ?? []));
  return [...new Set(calls.map(({ name }) => name))].map((name) => ({ name }));
}

function snapshotOf({ conversationId, agent, model, messages }: Script): ConversationSnapshot {
  return {
    snapshotId: 'cesr_00000000000000000000000000',
    projectId: 'prj_00000000000000000000000000',
    conversationId,
    contentHash: '',
    revision: 1,
    scope: 'conversation',
    startedAt: 0,
    throughMs: messages.length,
    agents: agent === undefined ? [] : [agent],
    models: [model],
    userId: null,
    truncated: false,
    messages: messages.map(({ role, content, name, toolCallId, toolCalls }, index) => ({
      index,
      role,
      content,
      ...(name === undefined ? {} : { name }),
      ...(toolCallId === undefined ? {} : { toolCallId }),
      ...(toolCalls === undefined ? {} : { toolCalls: [...toolCalls] }),
      traceId: 'a'.repeat(32),
      spanId: index.toString(16).padStart(16, '0'),
      atMs: index,
    })),
    tools: [],
    scores: [],
  };
}
