import { describe, it } from '@jest/globals';
import { describeAgent } from './test-support/describe-agent.ts';
import { useTestNode } from './test-support/test-node.ts';

describeAgent('children of the agent');

describe('a command', () => {
  const HOURS = 3_600_000;
  const current = useTestNode({ sweepMs: HOURS });

  it('has the agent look at once at what it names', async () => {
    const node = current();
    await node.startAgent();
    await node.until(await node.wantEngine('llama.cpp'), 'ready');
    await node.giveAllBack();
  });
});
