/** Part of a provider's API that a request is for. */
export type Operation = 'test' | 'create' | 'read' | 'change' | 'comment' | 'list';

/** Moment of a fault: before a request has its effect, or after it. */
export type Moment = 'before' | 'after';

export type Fault =
  /** Cuts the connection without an answer; `within` cuts it in the middle of the answer. */
  | { kind: 'cut'; when: Moment | 'within' }
  /** Answers with this status; after the effect if so requested, as a proxy does whose time is over. */
  | { kind: 'fail'; status: number; when: Moment }
  /** Never answers. */
  | { kind: 'silent'; when: Moment }
  /** Has the effect, and answers with something else than JSON, or with half of it. */
  | { kind: 'malformed'; as: 'html' | 'half' | 'empty' }
  /**
   * Limits the rate in the provider's form: `asked` names a wait, `reset` a time, and `bare` nothing at all. GitHub
   * answers the last two with 403.
   */
  | { kind: 'rate_limited'; as: 'asked' | 'reset' | 'bare'; seconds: number };

interface Planned {
  fault: Fault;
  on: Operation | undefined;
  times: number;
}

/** Plan of the next faults. */
export class FaultPlan {
  #planned: Planned[] = [];

  /** Plans a fault for the next request, or the next of an operation. */
  next(fault: Fault, { on, times = 1 }: { on?: Operation; times?: number } = {}): void {
    this.#planned.push({ fault, on, times });
  }

  reset(): void {
    this.#planned = [];
  }

  take(operation: Operation): Fault | undefined {
    const planned = this.#planned.find(({ on, times }) => times > 0 && (on === undefined || on === operation));
    if (planned === undefined) return undefined;
    planned.times -= 1;
    return planned.fault;
  }
}
