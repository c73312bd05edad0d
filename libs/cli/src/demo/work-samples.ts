import type { SampleConversation } from './sample-conversation.ts';

export const WORK_SAMPLES: readonly SampleConversation[] = [
  {
    name: 'data-no-answer-after-error',
    agent: 'tally-analyst',
    model: 'gpt-4.1',
    messages: [
      {
        role: 'system',
        content:
          'You are Tally, a data analyst. Query the warehouse for every figure that you state. Fiscal years begin in April.',
      },
      {
        role: 'user',
        content: 'How many active subscribers did we have at the end of October?',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_tererror01',
            type: 'function',
            function: {
              name: 'list_tables',
              arguments: '{}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: '{"tables": ["subscriptions", "plans", "events"]}',
        tool_call_id: 'call_tererror01',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_tererror02',
            type: 'function',
            function: {
              name: 'run_sql',
              arguments: '{"query": "SELECT COUNT(*) FROM subscriptions WHERE active_until >= DATE \'2026-10-31\'"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content:
          'ProgrammingError: column "active_until" does not exist\nLINE 1: SELECT COUNT(*) FROM subscriptions WHERE active_until',
        tool_call_id: 'call_tererror02',
      },
    ],
  },
  {
    name: 'data-wrong-total',
    agent: 'tally-analyst',
    model: 'gpt-4.1',
    messages: [
      {
        role: 'system',
        content:
          'You are Tally, a data analyst. Query the warehouse for every figure that you state. Fiscal years begin in April.',
      },
      {
        role: 'user',
        content: 'What was our total ad spend in fiscal year 2025?',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_ongtotal01',
            type: 'function',
            function: {
              name: 'run_sql',
              arguments: '{"query": "SELECT SUM(spend) FROM ads WHERE year = 2025"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: '{"rows": [{"sum": 812400}]}',
        tool_call_id: 'call_ongtotal01',
      },
      {
        role: 'assistant',
        content: 'Total ad spend in fiscal year 2025 was 812,400.',
      },
      {
        role: 'user',
        content: "That's incorrect. You took the calendar year; our fiscal years begin in April.",
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_ongtotal02',
            type: 'function',
            function: {
              name: 'run_sql',
              arguments: '{"query": "SELECT SUM(spend) FROM ads WHERE day BETWEEN \'2025-04-01\' AND \'2026-03-31\'"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: '{"rows": [{"sum": 774900}]}',
        tool_call_id: 'call_ongtotal02',
      },
      {
        role: 'assistant',
        content: "You're right, thank you for catching that. From April 2025 to March 2026 it was 774,900.",
      },
      {
        role: 'user',
        content: 'Matches my sheet now.',
      },
      {
        role: 'assistant',
        content: "Good. I'd gladly chart it by month, if that helps.",
      },
    ],
  },
  {
    name: 'travel-not-what-i-asked-2',
    agent: 'travel-concierge',
    model: 'gpt-4.1',
    messages: [
      {
        role: 'system',
        content:
          'You are the travel concierge of Skylark Travel. Confirm the details before you book. Prices are in US dollars.',
      },
      {
        role: 'user',
        content: 'Show me flights from London Gatwick to Porto on 12 January please.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_tiasked201',
            type: 'function',
            function: {
              name: 'search_flights',
              arguments: '{"origin": "LHR", "destination": "OPO", "date": "2027-01-12"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: '{"flights": [{"number": "SK880", "dep": "09:10", "price": 142}]}',
        tool_call_id: 'call_tiasked201',
      },
      {
        role: 'assistant',
        content: 'There is SK880 from Heathrow to Porto at 09:10 for $142.',
      },
      {
        role: 'user',
        content: 'No, I said Gatwick, not Heathrow.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_tiasked202',
            type: 'function',
            function: {
              name: 'search_flights',
              arguments: '{"origin": "LGW", "destination": "OPO", "date": "2027-01-12"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: '{"flights": [{"number": "SK872", "dep": "11:30", "price": 118}]}',
        tool_call_id: 'call_tiasked202',
      },
      {
        role: 'assistant',
        content: 'Sorry about that mix-up. From Gatwick there is SK872 at 11:30 for $118.',
      },
      {
        role: 'user',
        content: "Thanks, I'll think about it.",
      },
      {
        role: 'assistant',
        content: "Take your time. I'm here when you are ready.",
      },
    ],
  },
];
