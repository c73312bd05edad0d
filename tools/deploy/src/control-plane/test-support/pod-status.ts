import type { ContainerStatus, Pod, PodContainer } from './objects.ts';
import type { Doing } from './processes.ts';

/** Reason why the containers of a pod cannot be created. */
export interface Held {
  readonly is: 'held';
  readonly by: 'ContainerCreating' | 'ErrImagePull' | 'CreateContainerConfigError';
  readonly reason: string;
}

/** Status that a kubelet reports for a pod. */
export function statusOf(pod: Pod, state: Doing | Held) {
  const isReady = state.is === 'ready';
  const reason = 'reason' in state ? state.reason : '';
  return {
    phase: phaseOf(state),
    conditions: [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Initialized', status: state.is === 'held' ? 'False' : 'True' },
      { type: 'ContainersReady', status: isReady ? 'True' : 'False' },
      { type: 'Ready', status: isReady ? 'True' : 'False', message: reason },
    ],
    containerStatuses: pod.spec.containers.map((container, index) =>
      containerStatusOf(container, state, pod.status?.containerStatuses?.[index]),
    ),
  };
}

function phaseOf({ is }: Doing | Held): string {
  if (is === 'held') return 'Pending';
  return is === 'succeeded' ? 'Succeeded' : 'Running';
}

function containerStatusOf({ name, image }: PodContainer, state: Doing | Held, before?: ContainerStatus) {
  const { restartCount = 0, lastState = {} } = before ?? {};
  const common = { name, image, imageID: image, ready: state.is === 'ready', restartCount, lastState };
  if (state.is === 'held') return { ...common, state: { waiting: { reason: state.by, message: state.reason } } };
  if (state.is === 'succeeded') return { ...common, state: { terminated: { exitCode: 0, reason: 'Completed' } } };
  if (state.is !== 'failed') return { ...common, state: { running: {} } };
  const waiting = { reason: 'CrashLoopBackOff' };
  // Repeated failures with the same output count as one: a kubelet makes ever longer pauses between the starts.
  if (lastState.terminated?.message === state.output) return { ...common, state: { waiting } };
  const terminated = { exitCode: 1, reason: 'Error', message: state.output };
  return { ...common, restartCount: restartCount + 1, state: { waiting }, lastState: { terminated } };
}
