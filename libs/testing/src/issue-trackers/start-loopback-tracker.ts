import { createOutbound, type Outbound } from '@clew/outbound';
import type { LoopbackTracker, TrackerOptions } from './board/loopback-tracker.ts';
import { startLoopbackGitHub } from './github/loopback-github.ts';
import { startLoopbackGitLab } from './gitlab/loopback-gitlab.ts';
import { startLoopbackJira } from './jira/loopback-jira.ts';
import { startLoopbackLinear } from './linear/loopback-linear.ts';

const STARTS = {
  ...{ github: startLoopbackGitHub, gitlab: startLoopbackGitLab },
  ...{ jira: startLoopbackJira, linear: startLoopbackLinear },
} as const;

export async function startLoopbackTracker(
  provider: LoopbackTracker['provider'],
  options: TrackerOptions = {},
): Promise<LoopbackTracker> {
  return await STARTS[provider](options);
}

/** Client for addresses that people configure, which may call loopback. */
export function loopbackOutbound(): Outbound {
  return createOutbound({ allowCidrs: ['127.0.0.1/32'] });
}
