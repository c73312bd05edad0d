import type { SampleConversation } from './sample-conversation.ts';

export const SUPPORT_SAMPLES: readonly SampleConversation[] = [
  {
    name: 'support-email-again',
    agent: 'tidepool-support',
    model: 'gpt-4.1-mini',
    messages: [
      {
        role: 'system',
        content:
          'You are the first line of support for Tidepool, a note-taking app. Open a ticket when you cannot solve something.',
      },
      {
        role: 'user',
        content: "I can't sign in any more.",
      },
      {
        role: 'assistant',
        content: 'I can send you a link to set a new password. What is your email address?',
      },
      {
        role: 'user',
        content: 'jo.lindqvist@example.com',
      },
      {
        role: 'assistant',
        content: 'Thanks! A link is valid for one hour. Could you please provide your email address?',
      },
      {
        role: 'user',
        content: 'jo.lindqvist@example.com, I just told you that',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_ailagain01',
            type: 'function',
            function: {
              name: 'reset_password',
              arguments: '{"email": "jo.lindqvist@example.com"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: '{"sent": true}',
        tool_call_id: 'call_ailagain01',
      },
      {
        role: 'assistant',
        content: 'The link is on its way to jo.lindqvist@example.com.',
      },
      {
        role: 'user',
        content: 'Got it.',
      },
      {
        role: 'assistant',
        content: 'Great!',
      },
    ],
  },
  {
    name: 'support-ticket-told',
    agent: 'tidepool-support',
    model: 'gpt-4.1-mini',
    messages: [
      {
        role: 'system',
        content:
          'You are the first line of support for Tidepool, a note-taking app. Open a ticket when you cannot solve something.',
      },
      {
        role: 'user',
        content: 'My notes from yesterday are gone. Please open a ticket.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_ckettold01',
            type: 'function',
            function: {
              name: 'create_ticket',
              arguments: '{"subject": "Notes missing since yesterday"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: 'Error: ticket service is read-only during maintenance',
        tool_call_id: 'call_ckettold01',
      },
      {
        role: 'assistant',
        content:
          "I can't open a ticket at the moment, because the ticket system is under maintenance until noon. Your report is not lost: please write to me again after noon, and look into the trash folder until then.",
      },
      {
        role: 'user',
        content: 'They were in the trash! All good.',
      },
      {
        role: 'assistant',
        content: "That's a relief. Notes stay in the trash for 30 days.",
      },
    ],
  },
  {
    name: 'billing-no-account-id',
    agent: 'billing-desk',
    model: 'gpt-4.1',
    messages: [
      {
        role: 'system',
        content:
          'You are the billing assistant of Northwind Hosting. Refunds up to 200 EUR may be issued without approval. Always base what you say on the invoice.',
      },
      {
        role: 'user',
        content: "I can't log in to see my invoices.",
      },
      {
        role: 'assistant',
        content: 'I can send them to you. What is your account number?',
      },
      {
        role: 'user',
        content: "I don't have it, I can't log in, remember?",
      },
      {
        role: 'assistant',
        content:
          'Of course. It is also printed on every invoice e-mail, beginning with acc. Could you look there for your account number?',
      },
      {
        role: 'user',
        content: 'found it: acc-6002',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_ccountid01',
            type: 'function',
            function: {
              name: 'get_account',
              arguments: '{"account_id": "acc-6002"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content: '{"account_id": "acc-6002", "state": "locked", "reason": "password expired"}',
        tool_call_id: 'call_ccountid01',
      },
      {
        role: 'assistant',
        content:
          "Your password has expired, which is why the login is locked. I'd suggest the reset link on the sign-in page; your invoices are there as soon as you are in.",
      },
      {
        role: 'user',
        content: 'worked, thanks',
      },
      {
        role: 'assistant',
        content: 'Great!',
      },
    ],
  },
  {
    name: 'hr-carry-over-unanswered',
    agent: 'fern-hr',
    model: 'gpt-4.1-mini',
    messages: [
      {
        role: 'system',
        content:
          'You are Fern, the HR assistant. Answer from the handbook and file leave requests. Never guess about law.',
      },
      {
        role: 'user',
        content: 'How many unused vacation days can I carry over into next year?',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_answered01',
            type: 'function',
            function: {
              name: 'search_handbook',
              arguments: '{"query": "vacation days"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content:
          '{"passages": [{"title": "Vacation", "text": "Full-time employees have 28 days of vacation per calendar year."}]}',
        tool_call_id: 'call_answered01',
      },
      {
        role: 'assistant',
        content:
          'Full-time employees have 28 days of vacation per calendar year. Vacation is requested in the portal at least two weeks ahead.',
      },
      {
        role: 'user',
        content: 'Yes, but how many unused vacation days can I carry over into next year?',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_answered02',
            type: 'function',
            function: {
              name: 'search_handbook',
              arguments: '{"query": "carry over unused vacation days"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        content:
          '{"passages": [{"title": "Carry-over", "text": "Up to five unused days move to the next year and expire on 31 March."}]}',
        tool_call_id: 'call_answered02',
      },
      {
        role: 'assistant',
        content: 'Up to five unused days move to the next year. They expire on 31 March.',
      },
      {
        role: 'user',
        content: 'Thank you.',
      },
      {
        role: 'assistant',
        content: 'Gladly!',
      },
    ],
  },
];
