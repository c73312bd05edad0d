import type { SampleConversation } from './sample-conversation.ts';

export const RESEARCH_SAMPLES: readonly SampleConversation[] = [
  {
    name: 'research-same-search',
    agent: 'research-lead',
    model: 'gpt-4.1',
    messages: [
      {
        role: 'system',
        content:
          'You are the lead of a research team: a searcher finds sources, a writer puts the answer together. Cite every source.',
      },
      {
        role: 'user',
        content: 'How many lighthouses does the island of Brennoy have?',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_mesearch01',
            type: 'function',
            function: {
              name: 'web_search',
              arguments: '{"query": "Brennoy island number of lighthouses"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: '{"results": []}',
        tool_call_id: 'call_mesearch01',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_mesearch02',
            type: 'function',
            function: {
              name: 'web_search',
              arguments: '{"query": "Brennoy island number of lighthouses"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: '{"results": []}',
        tool_call_id: 'call_mesearch02',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_mesearch03',
            type: 'function',
            function: {
              name: 'web_search',
              arguments: '{"query": "Brennoy island number of lighthouses"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: '{"results": []}',
        tool_call_id: 'call_mesearch03',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_mesearch04',
            type: 'function',
            function: {
              name: 'web_search',
              arguments: '{"query": "Brennoy island number of lighthouses"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: '{"results": []}',
        tool_call_id: 'call_mesearch04',
      },
      {
        role: 'assistant',
        content: 'I found no source for the number of lighthouses on Brennoy. A local archive may know more.',
      },
      {
        role: 'user',
        content: 'ok, thanks for trying',
      },
      {
        role: 'assistant',
        content: "You're welcome.",
      },
    ],
  },
  {
    name: 'coding-same-file-1',
    agent: 'patchwork',
    model: 'gpt-4.1',
    messages: [
      {
        role: 'system',
        content:
          'You are a coding agent in the repository of a payroll application. Read before you write, and run the tests after a change.',
      },
      {
        role: 'user',
        content: 'Which tax rate do we use between 11,000 and 44,725?',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_amefile101',
            type: 'function',
            function: {
              name: 'read_file',
              arguments: '{"path": "src/tax/brackets.ts"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: 'export const BRACKETS = [\n  { upTo: 11_000, rate: 0.1 },\n  { upTo: 44_725, rate: 0.12 },\n];',
        tool_call_id: 'call_amefile101',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_amefile102',
            type: 'function',
            function: {
              name: 'read_file',
              arguments: '{"path": "src/tax/brackets.ts"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: 'export const BRACKETS = [\n  { upTo: 11_000, rate: 0.1 },\n  { upTo: 44_725, rate: 0.12 },\n];',
        tool_call_id: 'call_amefile102',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_amefile103',
            type: 'function',
            function: {
              name: 'read_file',
              arguments: '{"path": "src/tax/brackets.ts"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: 'export const BRACKETS = [\n  { upTo: 11_000, rate: 0.1 },\n  { upTo: 44_725, rate: 0.12 },\n];',
        tool_call_id: 'call_amefile103',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_amefile104',
            type: 'function',
            function: {
              name: 'read_file',
              arguments: '{"path": "src/tax/brackets.ts"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: 'export const BRACKETS = [\n  { upTo: 11_000, rate: 0.1 },\n  { upTo: 44_725, rate: 0.12 },\n];',
        tool_call_id: 'call_amefile104',
      },
      {
        role: 'assistant',
        content: 'The rate between 11,000 and 44,725 is 12 percent.',
      },
      {
        role: 'user',
        content: 'Thanks!',
      },
      {
        role: 'assistant',
        content: 'Happy to help.',
      },
    ],
  },
];
