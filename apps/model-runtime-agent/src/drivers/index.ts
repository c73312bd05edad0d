export { type EngineDriver, type EngineDrivers, type LaunchContext, type Probe, textProbe } from './driver.ts';
export { createDrivers } from './drivers.ts';
