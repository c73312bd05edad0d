import { newId } from '@clew/kernel';
import type { TestEnvironment } from '@clew/testing';
import { openTestDatabaseHost } from '@clew/testing-host';
import { callerOf, keyWith } from '@clew/testing/identities';
import { KnowledgeConfig } from '../config.ts';
import { createKnowledge } from '../create-knowledge.ts';
import { migrations } from '../migrations.ts';

/** One instance of the service, as its `main` wires it, on loopback. */
export type TestService = Awaited<ReturnType<typeof startTestService>>;

export const PROJECT_ID = newId('prj');
export const OTHER_PROJECT_ID = newId('prj');

export async function startTestService(environment: TestEnvironment) {
  const host = await openTestDatabaseHost(environment, { name: 'knowledge-svc', config: KnowledgeConfig, migrations });
  const { database, broker, publisher, clock, identities } = host;
  const served = await host.serve(createKnowledge(host));
  return {
    ...{ database, broker, publisher, clock },
    call: callerOf({
      ...{ url: served.url, identities, projectId: PROJECT_ID, prefix: '/knowledge' },
      principal: keyWith('workspace:read', 'workspace:write'),
    }),
    start: served.start,
    async stop() {
      await served.stop();
      await host.close();
    },
  };
}
