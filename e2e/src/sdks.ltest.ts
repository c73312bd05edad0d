import { describe, expect, it } from '@jest/globals';
import {
  conversationsOf,
  INSTALL_TIMEOUT_MS,
  PLAIN,
  STREAMED,
  testSdks,
  told,
  tried,
  TURNS,
  useSdkProvider,
  withWords,
} from './support/sdk-conversations.ts';
import { NODE_PROGRAMS, PYTHON_PROGRAMS, SDK_WITHOUT_CONTENT } from './support/sdks.ts';

useSdkProvider();

testSdks({ ...PYTHON_PROGRAMS, ...NODE_PROGRAMS });

describe('what an instrumentation that records no content tells of calls through the endpoint', () => {
  it(
    'is the application’s conversation, with the words that the endpoint has',
    async () => {
      const { project, missing } = await tried('without content', SDK_WITHOUT_CONTENT);
      if (missing !== undefined) return;
      const conversations = await conversationsOf(project, 3);
      expect(told(withWords(conversations, 'Plain:'))).toEqual(PLAIN);
      expect(told(withWords(conversations, 'Streamed:'))).toEqual(STREAMED);
      expect(told(withWords(conversations, 'Turns:'))).toEqual(TURNS);
      expect(conversations.map(({ id }) => /^[0-9a-f]{32}$/.test(id))).toEqual([true, true, true]);
    },
    INSTALL_TIMEOUT_MS,
  );
});
