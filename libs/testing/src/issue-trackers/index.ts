export type { Fault, FaultPlan, Operation } from './board/faults.ts';
export type { BoardEvent, HostedIssue, HostedState } from './board/issue-board.ts';
export type { LoopbackTracker, TrackerDelivery, TrackerOptions, TrackerSettings } from './board/loopback-tracker.ts';
export { loopbackOutbound, startLoopbackTracker } from './start-loopback-tracker.ts';
export { startLoopbackGitHub, type LoopbackGitHub } from './github/loopback-github.ts';
export { startLoopbackGitLab, type LoopbackGitLab } from './gitlab/loopback-gitlab.ts';
export { quickActionsIn } from './gitlab/quick-actions.ts';
export { startLoopbackJira, type LoopbackJira } from './jira/loopback-jira.ts';
export { startLoopbackLinear, type LoopbackLinear } from './linear/loopback-linear.ts';
