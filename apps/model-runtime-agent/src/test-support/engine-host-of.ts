import { ENGINE_USER, socketOf, type EngineHostKind } from '@clew/testing-model-runtime';
import { createChildHost, createSocketHost, engineUser, type EngineHost } from '../engine-host/index.ts';

/** Host through which the agent runs engines. */
export function engineHostOf(kind: EngineHostKind, home: string): EngineHost {
  if (kind === 'children of the agent') return createChildHost({ home, user: engineUser(ENGINE_USER.uid) });
  return createSocketHost({ socketFile: socketOf(home) });
}
