export { createAnalysesService, type AnalysesService } from './analyses.service.ts';
export { createAnalysisStore, type Analyses, type AnalysisStore } from './analyses.store.ts';
export { analysedEvents, endedBy, type Announcement } from './analysed-events.ts';
export {
  analysisIdOf,
  newAnalysis,
  ruleKeyOf,
  withEndedRuns,
  withFound,
  worstOf,
  type AnalysisTarget,
  type Found,
  type RunEnd,
} from './analysis.ts';
export { analysisCollection, analysisModel } from './analysis.model.ts';
export { analysisRunRoutes, diagnosticFigureRoutes } from './analysis-runs.routes.ts';
export { endGivenUpAnalyses, givenUpCommandOf } from './given-up-analyses.ts';
export { heldCommandCollection } from './held-command.model.ts';
export { createHeldCommands, type HeldCommands } from './held-commands.ts';
export { createQueueRuns, type QueueRuns } from './queue-runs.ts';
export { takeReadyConversations } from './ready-conversations.ts';
