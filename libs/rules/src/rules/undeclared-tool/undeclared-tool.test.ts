import { expect, it } from '@jest/globals';
import { called, calls, conversation, detect, failed, user } from '../../test-support/conversation.ts';
import { undeclaredTool } from './undeclared-tool.ts';

const tools = [{ name: 'get_user', parameters: {} }];

it('a tool that was not offered is reported, with its name', () => {
  const snapshot = conversation([user('Delete me'), calls({ name: 'delete_user', arguments: {} })], { tools });
  expect(detect(undeclaredTool, snapshot)).toMatchObject([
    { title: 'assistant calls delete_user, which it was not offered', signals: ['tool_not_offered'] },
  ]);
});

it('an answer that there is no such tool is enough where no tools are recorded', () => {
  const snapshot = conversation([user('Delete me'), ...failed('delete_user', {}, 'Error: unknown tool delete_user')]);
  expect(detect(undeclaredTool, snapshot)).toMatchObject([{ signals: ['tool_unknown'] }]);
});

it.each([
  ['an offered tool', conversation([user('Hi'), ...called('get_user', {}, '{}')], { tools })],
  [
    'a tool that answered: it was offered elsewhere',
    conversation([user('Hi'), ...called('get_x', {}, '{}')], { tools }),
  ],
  ['tools that are not recorded', conversation([user('Hi'), ...called('get_x', {}, '{}')])],
  ['another error', conversation([user('Hi'), ...failed('get_user', {}, 'Error: user not found')], { tools })],
])('left alone: %s', (_, snapshot) => {
  expect(detect(undeclaredTool, snapshot)).toEqual([]);
});
