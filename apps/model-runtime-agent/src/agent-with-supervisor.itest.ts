import { describe, expect, it } from '@jest/globals';
import { describeAgent } from './test-support/describe-agent.ts';
import { useTestNode } from './test-support/test-node.ts';

describeAgent('in a container of their own');

describe('a supervisor of engines that is killed', () => {
  const current = useTestNode({ engines: 'in a container of their own' });

  it('takes its engines along, and the next one runs the service again', async () => {
    const node = current();
    await node.startAgent();
    const service = await node.startModel('tiny');
    const { generation } = service;
    await node.killSupervisor();
    const failed = await node.until(service, 'failed');
    expect(failed).toMatchObject({ generation, error: { code: 'ENGINE_EXITED' } });
    await node.startSupervisor();
    expect(await node.until(service, 'ready')).toMatchObject({ generation });
  });
});
