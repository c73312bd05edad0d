import { describe, expect, it } from '@jest/globals';
import {
  assistant,
  called,
  calls,
  conversation,
  detect,
  failed,
  firedSignals,
  user,
  type ScriptedMessage,
} from '../../test-support/conversation.ts';
import { toolErrorUnhandled } from './tool-error-unhandled.ts';

type Script = readonly (ScriptedMessage | ScriptedMessage[])[];

const ask = user('Please move my order 4711 to the new address.');

describe('an error after which the agent claims success', () => {
  const errors: readonly (readonly [string, ScriptedMessage[]])[] = [
    ['the span failed', failed('update_order', { id: 4711 }, 'timed out')],
    ['the span failed and the tool wrote nothing', failed('update_order', { id: 4711 }, 'timed out', '')],
    ['a plain error text', called('update_order', {}, 'Error: address service is down')],
    ['an error object', called('update_order', {}, { error: 'address service is down' })],
    [
      'a nested error object',
      called('update_order', {}, { error: { code: 'E17', message: 'address service is down' } }),
    ],
    ['success: false', called('update_order', {}, { success: false, reason: 'order is locked' })],
    ['a bare status and message', called('update_order', {}, { status: 500, message: 'Internal Server Error' })],
    [
      'a problem document',
      called('update_order', {}, { type: 'about:blank', title: 'Conflict', status: 409, detail: 'locked' }),
    ],
    ['status error', called('update_order', {}, { status: 'error', message: 'order is locked' })],
    ['an HTTP status line', called('update_order', {}, 'HTTP/1.1 503 Service Unavailable')],
    ['a reason phrase', called('update_order', {}, '404 Not Found')],
    ['a request that failed', called('update_order', {}, 'Request failed with status code 502')],
    ['an exception', called('update_order', {}, "KeyError: 'address'")],
    ['a Java exception', called('update_order', {}, 'java.lang.IllegalStateException: order is locked')],
    [
      'a traceback',
      called(
        'update_order',
        {},
        'Traceback (most recent call last):\n  File "a.py", line 3, in b\nValueError: bad zip',
      ),
    ],
    ['an exit code', called('update_order', {}, 'exit code: 1\nno such order')],
    ['the error of a command', called('update_order', {}, "mv: cannot stat '4711.json': No such file or directory")],
    ['a request that failed while it was sent', called('update_order', {}, 'Error in sending the request: no host')],
    ['a request that is invalid', called('update_order', {}, 'Invalid POST request')],
    ['a condition without a prefix', called('update_order', {}, 'Permission denied')],
    [
      'a tool protocol result',
      called('update_order', {}, { content: [{ type: 'text', text: 'locked' }], isError: true }),
    ],
    ['content parts', called('update_order', {}, [{ type: 'text', text: 'Error: order is locked' }])],
  ];
  it.each(errors)('is found: %s', (_, error) => {
    expect(firedSignals(toolErrorUnhandled, [ask, error, assistant('Done! Your order has been updated.')])).toEqual([
      'success_claimed_after_error',
    ]);
  });

  const claims: readonly string[] = [
    'Great news, your flight is booked!',
    "I've successfully updated your order.",
    'The refund has now been issued to your card.',
    'All set! Is there anything else I can help you with?',
    'Your order is confirmed. If there is any problem, please contact us.',
    'Die Adresse wurde erfolgreich geändert.',
    "C'est fait, votre commande a été modifiée.",
    '¡Listo! La dirección ha sido actualizada.',
    'Pronto! O endereço foi atualizado com sucesso.',
  ];
  it.each(claims)('is found in the words: %s', (claim) => {
    expect(firedSignals(toolErrorUnhandled, [ask, failed('update_order', {}, 'timed out'), assistant(claim)])).toEqual([
      'success_claimed_after_error',
    ]);
  });

  it('is found where the agent only told somebody after the failed change', () => {
    const script = [
      ask,
      failed('update_order', {}, 'locked'),
      called('send_email', {}, 'sent'),
      assistant('All done!'),
    ];
    expect(firedSignals(toolErrorUnhandled, script)).toEqual(['success_claimed_after_error']);
  });

  it('is found for the one call of several at once that failed', () => {
    const script: Script = [
      ask,
      calls(
        { id: 'a', name: 'update_order', arguments: { id: 1 } },
        { id: 'b', name: 'update_order', arguments: { id: 2 } },
      ),
      { role: 'tool', name: 'update_order', toolCallId: 'b', content: '{"ok":true}' },
      { role: 'tool', name: 'update_order', toolCallId: 'a', content: 'Error: locked' },
      assistant('Both orders have been updated.'),
    ];
    expect(firedSignals(toolErrorUnhandled, script)).toEqual(['success_claimed_after_error']);
  });
});

describe('an error that is passed over', () => {
  it.each<readonly [string, Script, string]>([
    [
      'the agent answers from nowhere',
      [
        user('What is on my account?'),
        called('get_balance', {}, { error: 'timeout' }),
        assistant('Your balance is $5,000.'),
      ],
      'error_not_mentioned',
    ],
    ['the conversation ends', [ask, failed('get_order', {}, 'timed out')], 'no_answer_after_error'],
    [
      'a polite closing question is no admission',
      [
        user('What is the weather in Oslo today?'),
        failed('get_weather', {}, '500'),
        assistant('Sunny and 24 degrees! Anything else I can help with?'),
      ],
      'error_not_mentioned',
    ],
  ])('is found: %s', (_, script, signal) => {
    expect(firedSignals(toolErrorUnhandled, script)).toContain(signal);
  });
});

describe('work that ends with an error which says what would work', () => {
  const search = (text: string) => failed('search_notes', { query: 'trip' }, text);
  const asked = user('When is the trip?');

  it('is reported, though the user is told', () => {
    const script = [asked, search('No notes found. Try a different query.'), assistant('I could not find the trip.')];
    expect(firedSignals(toolErrorUnhandled, script)).toEqual(['ended_with_error']);
  });

  it.each<readonly [string, Script]>([
    ['after three attempts', [asked, ...[1, 2, 3].map(() => search('None found. Try a different one.'))]],
    ['where the error has no advice', [asked, search('No notes found.')]],
    ['where the tool is out of order', [asked, search('Error: timed out. Try a different server.')]],
    ['where the user comes back', [asked, search('None found. Try a different one.'), assistant('Which?'), asked]],
  ])('is left alone: %s', (_, script) => {
    const answered = [...script, assistant('I could not find the trip.')];
    expect(firedSignals(toolErrorUnhandled, answered)).not.toContain('ended_with_error');
  });
});

it('several failures of a tool in a turn are one case: the last of them is what was left', () => {
  const script = [
    ask,
    ...failed('run', { command: 'a' }, 'Error: a is missing'),
    ...failed('run', { command: 'b' }, 'Error: b is missing'),
  ];
  const [found, ...others] = detect(toolErrorUnhandled, conversation(script));
  expect(found?.signals).toEqual(['no_answer_after_error', 'ended_with_error', 'tool_failed_repeatedly']);
  expect(found?.anchor.stepIndex).toBe(4);
  expect(others).toEqual([]);
});

describe('an error that was dealt with is not reported', () => {
  const error = failed('update_order', { id: 4711 }, 'address service is down');
  const scripts: readonly (readonly [string, Script])[] = [
    ['retried with success', [ask, error, called('update_order', { id: 4711 }, { ok: true }), assistant('Done!')]],
    ['another changing tool did it', [ask, error, called('replace_order', {}, { ok: true }), assistant('Done!')]],
    [
      'handed to a person',
      [ask, error, called('transfer_to_human', {}, { ok: true }), assistant('Done, a colleague takes over.')],
    ],
    [
      'another search answered',
      [
        user('What is a gnomon?'),
        failed('vector_search', {}, 'down'),
        called('keyword_search', {}, ['A shadow']),
        assistant('It casts a shadow.'),
      ],
    ],
    ['admitted', [ask, error, assistant("I'm sorry, I couldn't change the address. Please try again later.")]],
    [
      'admitted in between',
      [ask, error, assistant('That failed, let me look.'), called('get_order', {}, {}), assistant('It is packed.')],
    ],
    [
      'told in a word of the error',
      [ask, failed('update_order', {}, 'the parcel is sealed'), assistant('Your order is completed and sealed.')],
    ],
    ['admitted in German', [ask, error, assistant('Leider konnte ich die Adresse nicht ändern.')]],
    ['admitted in French', [ask, error, assistant("Malheureusement, je n'ai pas pu modifier l'adresse.")]],
    ['admitted in Spanish', [ask, error, assistant('No he podido cambiar la dirección de su pedido.')]],
    ['admitted in Portuguese', [ask, error, assistant('Não consegui alterar o endereço do pedido.')]],
    ['another way is asked for', [ask, error, assistant('Would you like to use a different address?')]],
    [
      'told in the words of the error',
      [ask, failed('pay', {}, 'total price is 608, but paid 304'), assistant('The total price is 608.')],
    ],
    ['told as a fact', [ask, failed('book_flight', {}, 'no seats'), assistant('That flight is fully booked.')]],
    ['another approach is announced', [ask, error, assistant('Let me take a different approach.')]],
    [
      'in a language that is not known',
      [user('Päivitä osoite.'), error, assistant('Osoitteen päivitys ei juuri nyt onnistunut.')],
    ],
  ];
  it.each(scripts)('%s', (_, script) => {
    expect(detect(toolErrorUnhandled, conversation(script))).toEqual([]);
  });
});

describe('what is no error of the tool is not reported', () => {
  const results: readonly (readonly [string, unknown])[] = [
    ['an ordinary answer', { id: 4711, status: 'packed' }],
    ['an empty error field', { id: 4711, error: null, errors: [] }],
    ['error: none', { result: 'ok', error: 'none' }],
    ['a failed payment as data', { payment_id: 'p1', status: 'failed', amount: 12 }],
    ['a probe that saw 503', { url: 'https://a.example', status_code: 503, latency_ms: 30 }],
    ['a count of errors', { error_count: 17, window: '1h' }],
    ['a log with errors', '2026-11-20 ERROR timeout\n2026-11-20 INFO recovered'],
    ['a text about errors', 'Error handling in Go is done with return values.'],
    [
      'a long document that begins like an error',
      `Unauthorized access: a history. ${'It began long ago. '.repeat(100)}`,
    ],
    ['nothing found', []],
    ['an amount that looks like a status', { code: 500, name: 'Five hundred club', members: 3 }],
  ];
  it.each(results)('%s', (_, result) => {
    const script = [ask, called('read_something', {}, result), assistant('I have updated the order.')];
    expect(detect(toolErrorUnhandled, conversation(script))).toEqual([]);
  });
});

describe('limits and settings', () => {
  const unanswered = [ask, failed('get_order', {}, 'timed out')];

  it('a part of a conversation that ends with an error is not reported: the answer may follow', () => {
    expect(detect(toolErrorUnhandled, conversation(unanswered, { scope: 'prefix' }))).toEqual([]);
    expect(detect(toolErrorUnhandled, conversation(unanswered, { truncated: true }))).toEqual([]);
  });

  it('keywords of the project mark further results as errors', () => {
    const script = [ask, called('update_order', {}, 'KO: rejected by host'), assistant('Done!')];
    expect(firedSignals(toolErrorUnhandled, script)).toEqual([]);
    expect(firedSignals(toolErrorUnhandled, script, { keywords: ['KO'] })).toEqual(['success_claimed_after_error']);
  });

  it('the same error with other ids is the same cluster, another error or tool is not', () => {
    const fingerprint = (tool: string, text: string): string | undefined =>
      detect(toolErrorUnhandled, conversation([ask, failed(tool, {}, text), assistant('Done!')]))[0]
        ?.clusterFingerprint;
    const first = fingerprint('update_order', 'order W-104233 is locked since 10:31');
    expect(fingerprint('update_order', 'order W-99 is locked since 08:02')).toBe(first);
    expect(fingerprint('update_order', 'order W-104233 has been shipped')).not.toBe(first);
    expect(fingerprint('cancel_order', 'order W-104233 is locked since 10:31')).not.toBe(first);
  });

  it('status codes of different kinds are different clusters although numbers are masked', () => {
    const fingerprint = (code: number): string | undefined =>
      detect(
        toolErrorUnhandled,
        conversation([ask, called('update_order', {}, `HTTP ${code} from host`), assistant('Done!')]),
      )[0]?.clusterFingerprint;
    expect(fingerprint(404)).not.toBe(fingerprint(503));
    expect(fingerprint(502)).toBe(fingerprint(503));
  });

  it('quotes the error and the claim', () => {
    const script = [ask, failed('update_order', {}, 'locked', 'Error: locked'), assistant('Hello. It is done!')];
    const [detection] = detect(toolErrorUnhandled, conversation(script));
    expect(detection?.anchor).toMatchObject({ stepIndex: 2, quotes: [{ quote: 'Error: locked' }] });
    expect(detection?.evidence.map((evidence) => evidence.kind)).toEqual(['tool_result', 'tool_call', 'message']);
    expect(detection?.evidence.at(-1)?.location.quotes).toMatchObject([{ quote: 'It is done!' }]);
  });
});

it.each([
  ['Error: index manuals_r4 does not exist', /is missing, or was named wrongly/],
  ['Error: invalid postal_code, five digits are needed', /parameters of look_up and their formats/],
  ['HTTP 503 Service Unavailable', /^Retry look_up with a growing delay/],
  ['permission denied for role reader', /credentials and permissions/],
])('says what may help against "%s"', (error, hint) => {
  const script = [ask, called('look_up', {}, error), assistant('Done!')];
  expect(detect(toolErrorUnhandled, conversation(script))[0]?.remediationHint).toMatch(hint);
});
