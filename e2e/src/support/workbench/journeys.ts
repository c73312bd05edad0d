import { expect } from '@jest/globals';
import { encodeConversation, eventually, toOtlpJson, type ScriptedConversation } from '@clew/testing';
import { keyboard, mouse, settled, type Hands, type Person } from '@clew/browser';
import { callApi } from '../api.ts';
import type { TestProject } from '../test-project.ts';

export type HandsOf = (page: Person['page']) => Hands;

const BY_KEYBOARD: readonly [string, HandsOf] = ['by keyboard alone', keyboard];

/** Hands that do each journey: keys alone, which need every command of the page; in the long tier a mouse, too. */
export const HANDS: readonly (readonly [string, HandsOf])[] =
  process.env['CLEW_WORKBENCH'] === 'whole' ? [BY_KEYBOARD, ['with a mouse', mouse]] : [BY_KEYBOARD];

export const JOURNEY_TIMEOUT_MS = 180_000;

/** Opens an address, and waits until all of it is shown. */
export async function visit({ page, watch, go }: Person, address: string): Promise<void> {
  await go(address);
  await settled(page, watch);
}

/** Notice below the page; words of the page itself, such as those of the rail, are no notices. */
export const noticeOf = ({ page }: Person, text: RegExp) =>
  page.locator('[role="status"][aria-live="polite"]').getByText(text).last();

/** Waits until something on the page has the focus, which a part that has gone had before. */
export async function focusIsKept({ page }: Person): Promise<void> {
  await page.locator('body *:focus').waitFor({ state: 'attached', timeout: 10_000 });
}

/** Waits until so many conversations of a project have ended, as those that are imported have at once. */
export async function untilReady(project: TestProject, count: number): Promise<void> {
  await eventually(
    async () => {
      const { body } = await project.call<{ conversations: unknown[] }>('/conversations?state=ready&limit=100');
      expect(body.conversations).toHaveLength(count);
    },
    { timeoutMs: JOURNEY_TIMEOUT_MS },
  );
}

/** Sends a conversation as an exporter does. */
export async function tell(project: TestProject, script: ScriptedConversation): Promise<void> {
  const told = encodeConversation(script, {
    ...{ dialect: 'genai', startMs: Date.now(), idSeed: script.conversationId, history: 'incremental' },
  });
  const { status } = await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(told) });
  if (status !== 200) throw new Error(`The conversation was not taken: ${status}`);
}

/** Waits until a project has so many Findings. */
export async function untilFound(project: TestProject, count: number): Promise<void> {
  await eventually(
    async () => {
      const found = await project.findings();
      if (found.length < count) throw new Error(`only ${found.length} Findings are there yet`);
    },
    { timeoutMs: JOURNEY_TIMEOUT_MS },
  );
}

/** Conversation in which a tool of this name fails in a way of its own: a Finding apart from all others. */
export function failureOf(tool: string): ScriptedConversation {
  return {
    ...{ conversationId: `chat-${tool}`, agent: `agent-${tool}`, model: 'gpt-4o-mini', userId: 'user-1' },
    messages: [
      { role: 'system', content: 'You help with orders.' },
      { role: 'user', content: `Please ${tool.replaceAll('_', ' ')} for me.` },
      { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: tool, arguments: {} }] },
      { role: 'tool', toolCallId: 'call_1', name: tool, content: `Error: ${tool} is down`, isError: true },
      { role: 'assistant', content: 'That has been done. Have a nice day!', finishReason: 'stop' },
    ],
  };
}
