/** Makes a step fail, or the process die there: then every further step fails until `mend` is called. */
export interface Fault {
  /** Arms a failure at the nth step from now: before it, half way (if it can be halved), or after it. */
  arm(step: number, moment: Moment, isFatal: boolean): void;
  /** Restores the store, as after a restart of the process. */
  mend(): void;
  wrap<Store extends object>(name: string, store: Store): Store;
}

export type Moment = 'before' | 'half way' | 'after';

export class ProcessDied extends Error {}
export class StepFailed extends Error {}

type Method = (...args: unknown[]) => unknown;

export function createFault(): Fault {
  let stepsLeft = Number.POSITIVE_INFINITY;
  let moment: Moment = 'before';
  let isFatal = true;
  let isDead = false;

  async function step(call: (args: unknown[]) => unknown, args: unknown[]): Promise<unknown> {
    if (isDead) throw new ProcessDied();
    stepsLeft -= 1;
    if (stepsLeft > 0) return await call(args);
    isDead = isFatal;
    stepsLeft = Number.POSITIVE_INFINITY;
    if (moment === 'half way') await call(args.map(firstHalf));
    if (moment === 'after') await call(args);
    throw isFatal ? new ProcessDied() : new StepFailed();
  }

  return {
    arm(step, when, fatal) {
      stepsLeft = step;
      moment = when;
      isFatal = fatal;
    },
    mend() {
      stepsLeft = Number.POSITIVE_INFINITY;
      isDead = false;
    },
    wrap: (_name, store) =>
      new Proxy(store, {
        get(target, property) {
          const value: unknown = Reflect.get(target, property);
          // Streams are not steps: reading them has no effect.
          if (typeof value !== 'function' || property === 'walkHeads') return value;
          return (...args: unknown[]) => step((given) => (value as Method).apply(target, given), args);
        },
      }),
  };
}

function firstHalf(argument: unknown): unknown {
  return Array.isArray(argument) ? argument.slice(0, Math.floor(argument.length / 2)) : argument;
}
