import { allOrAbort } from '../system/waiting.ts';
import { createAppInstances } from './app-instances.ts';
import { GATEWAY } from './apps.ts';
import type { EnvironmentSource } from './environment.ts';
import type { Step } from './progress.ts';
import type { Start } from './start.ts';

/** Starts all applications side by side, and resolves once each is ready. */
export async function startApps(start: Start, environment: EnvironmentSource, step: Step): Promise<void> {
  const { options, context, parts } = start;
  const abort = new AbortController();
  const signal = AbortSignal.any([options.signal, abort.signal]);
  const starts = start.apps.map(async (definition) => {
    const app = createAppInstances(definition, {
      programs: start.programs,
      logsDirectory: parts.home.logsDirectory,
      environment,
      firstPort: definition.name === GATEWAY ? start.gatewayPort : await context.ports.claim(definition.name),
      ports: context.ports,
      registry: context.registry,
      log: parts.log,
      onChange: () => start.stack.publish(),
    });
    parts.apps.push(app);
    await app.scaleTo(definition.instances, signal);
    step.note(`${definition.name} is ready`);
  });
  await allOrAbort(starts, (reason) => abort.abort(reason));
  step.summary(`${start.apps.length} ready`);
}
