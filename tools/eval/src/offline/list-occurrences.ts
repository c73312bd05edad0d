import { writeFileSync } from 'node:fs';
import { BUILT_IN_RULES, diagnose, evaluateRule } from '@clew/rules';
import { labelledDomains } from '../labelled/domains.ts';
import { snapshotOfScript } from './scripted-snapshot.ts';

/**
 * Writes every occurrence of the Rules in labelled conversations to a file, one JSON value per line, for reading them
 * one by one. No label is among them, so that a reader judges what is in the conversation. Returns their number.
 */
export function listOccurrences(dataFolder: string, file: string): object {
  const lines = labelledDomains(dataFolder).flatMap(({ name, conversations }) =>
    conversations.flatMap(({ script }) => {
      const snapshot = snapshotOfScript(script);
      const found = BUILT_IN_RULES.flatMap((rule) => evaluateRule(rule, snapshot, rule.defaultConfiguration));
      return diagnose(snapshot, found).detections.map((detection) =>
        JSON.stringify({
          domain: name,
          conversationId: script.conversationId,
          rule: detection.ruleKey,
          signals: detection.signals,
          severity: detection.severity,
          title: detection.title,
          summary: detection.summary,
          evidence: detection.evidence.map(({ title, summary, location: { stepIndex, quotes } }) => ({
            step: stepIndex,
            title,
            summary,
            quotes: quotes.map(({ quote }) => quote),
          })),
        }),
      );
    }),
  );
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return { occurrences: lines.length, file };
}
