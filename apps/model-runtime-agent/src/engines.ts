import { join, resolve } from 'node:path';
import { createLogger, loadConfig, readServiceInfo, runUntilSignal, startService } from '@clew/runtime';
import { createChildHost, isEngineProgram, superviseEngines } from './engine-host/index.ts';
import { EnginesConfig } from './engines-config.ts';

const STOP_GRACE_MS = 10_000;

/** Supervisor of engines: runs the programs that the agent of its pod requests, in a container that holds no secret. */
await startService(async () => {
  const config = loadConfig(EnginesConfig, process.env);
  const service = 'model-runtime-engines';
  const { version } = readServiceInfo(join(import.meta.dirname, '..'), { service, deploymentTarget: 'server' });
  const logger = createLogger({ service, version, level: config.LOG_LEVEL });
  const home = resolve(config.MODEL_HOME);
  const supervisor = await superviseEngines({
    ...{ socketFile: config.ENGINE_SOCKET, home, logger },
    host: createChildHost({ home }),
    mayRun: (file) => isEngineProgram(file, { home, python: config.MODEL_PYTHON }),
  });
  logger.info('waiting for an agent');
  runUntilSignal({ logger, graceMs: STOP_GRACE_MS, stopInOrder: () => [{ name: 'engines', ...supervisor }] });
});
