import type { ToolDefinition } from '@clew/contracts';
import { dataBlock } from '@clew/knowledge';
import { plainTools } from './addressed.ts';
import { cut } from './cut.ts';

const MAX_DESCRIPTION = 600;
const SHORT_DESCRIPTION = 120;

/** Ways to describe a tool, the fullest first. */
const DESCRIPTIONS: readonly ((tool: ToolDefinition) => string)[] = [
  ({ name, description = '', parameters }) =>
    `${name}: ${cut(description.trim(), MAX_DESCRIPTION)}\n  parameters: ${JSON.stringify(parameters ?? {})}`,
  ({ name, description = '', parameters }) =>
    `${name}: ${cut(description.trim(), SHORT_DESCRIPTION)}\n  parameters: ${parameterNames(parameters).join(', ')}`,
  ({ name }) => name,
];

/** Shows the tools that were offered, as fully as a number of characters allows; nothing without tools. */
export function toolsBlock(tools: readonly ToolDefinition[], maxCharacters: number): string[] {
  if (tools.length === 0) return [];
  const shown = plainTools(tools);
  const texts = DESCRIPTIONS.map((describe) => shown.map(describe).join('\n'));
  const text = texts.find(({ length }) => length <= maxCharacters) ?? texts.at(-1) ?? '';
  return ['The tools that the assistant can call:', dataBlock('tools', cut(text, maxCharacters))];
}

function parameterNames(parameters: unknown): string[] {
  const { properties } = (parameters ?? {}) as { properties?: unknown };
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}
