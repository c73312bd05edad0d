import { expect, it } from '@jest/globals';
import { agentText } from './user-agent.ts';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36', 'Chrome on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/156.0 Safari/537.36 Edg/156.0', 'Edge on Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605 Version/26 Safari/605', 'Safari on macOS'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 26 like Mac OS X) Version/26 Safari/604', 'Safari on iOS'],
  ['curl/8.9', 'curl/8.9'],
  [null, 'An unknown program'],
])('%s is %s', (userAgent, text) => {
  expect(agentText(userAgent)).toBe(text);
});
