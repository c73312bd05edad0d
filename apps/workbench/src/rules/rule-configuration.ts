import type { Api } from '@clew/sdk';

export type RuleDraft = Omit<Api.RuleConfiguration, 'keywords'> & { readonly keywords: string };
type Overrides = Api.RuleConfiguration['signalOverrides'];
type Override = Overrides[string];
type ConfigurationChange = NonNullable<Api.UpdateRuleData['body']['configuration']>;

export function draftOf(configuration: Api.RuleConfiguration): RuleDraft {
  return { ...configuration, keywords: configuration.keywords.join('\n') };
}

function keywordsOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

/** Members that differ from the stored configuration; an override that is taken back is null. */
export function configurationChange(stored: Api.RuleConfiguration, draft: RuleDraft): ConfigurationChange {
  const keywords = keywordsOf(draft.keywords);
  const signalOverrides = overrideChanges(stored.signalOverrides, draft.signalOverrides);
  return {
    ...(same(keywords, stored.keywords) ? {} : { keywords }),
    ...(draft.minSignalScore === stored.minSignalScore ? {} : { minSignalScore: draft.minSignalScore }),
    ...(draft.minDiagnosticConfidence === stored.minDiagnosticConfidence
      ? {}
      : { minDiagnosticConfidence: draft.minDiagnosticConfidence }),
    ...(draft.adjudicationMode === stored.adjudicationMode ? {} : { adjudicationMode: draft.adjudicationMode }),
    ...(draft.adjudicationModel === stored.adjudicationModel ? {} : { adjudicationModel: draft.adjudicationModel }),
    ...(Object.keys(signalOverrides).length === 0 ? {} : { signalOverrides }),
  };
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function overrideChanges(stored: Overrides, draft: Overrides): Record<string, Override | null> {
  const names = [...new Set([...Object.keys(stored), ...Object.keys(draft)])];
  const changed = names.filter((name) => !same(inOrder(stored[name]), inOrder(draft[name])));
  return Object.fromEntries(changed.map((name) => [name, draft[name] ?? null]));
}

function inOrder(override: Override | undefined): unknown {
  return override === undefined ? null : [override.enabled, override.severity];
}

/** Overrides after a signal was set; what is as the Rule has it anyway is none. */
export function withSignal(
  overrides: Overrides,
  { name, defaultSeverity }: Pick<Api.RuleSignal, 'name' | 'defaultSeverity'>,
  change: Partial<Override>,
): Overrides {
  const next = { ...signalState(overrides, { name, defaultSeverity }), ...change };
  const others = Object.fromEntries(Object.entries(overrides).filter(([each]) => each !== name));
  return next.enabled && next.severity === defaultSeverity ? others : { ...others, [name]: next };
}

/** Whether a signal counts, and how severe it is. */
export function signalState(
  overrides: Overrides,
  { name, defaultSeverity }: Pick<Api.RuleSignal, 'name' | 'defaultSeverity'>,
): Override {
  return overrides[name] ?? { enabled: true, severity: defaultSeverity };
}

/** Number of a share that was typed; undefined if it is none from 0 to 1. */
export function shareOf(text: string): number | undefined {
  const number = Number(text);
  return text.trim() !== '' && number >= 0 && number <= 1 ? number : undefined;
}
