import { BUILT_IN_RULES, diagnose, evaluateRule } from '@clew/rules';
import { causeFigures, outcomeFigures, type Judged } from '../figures/judged.ts';
import { domainFigures } from '../domains/domain-figures.ts';
import { readDomains } from '../labelled/domains.ts';
import { readTauBench, readWhoAndWhen, type LabelledConversation } from '../labelled/labelled-conversations.ts';
import { snapshotOfScript } from './scripted-snapshot.ts';

/** Judges the labelled conversations in this process, without a stack: same figures within seconds. */
export function evaluateOffline(dataFolder: string): object {
  const tauBench = readTauBench(dataFolder).map(judge);
  const whoAndWhen = readWhoAndWhen(dataFolder).map(judge);
  const domains = readDomains(dataFolder).map((domain) => ({ ...domain, judged: domain.conversations.map(judge) }));
  return {
    ...(domains.length === 0 ? {} : domainFigures(domains)),
    ...(tauBench.length === 0 ? {} : { tauBench: outcomeFigures(tauBench) }),
    ...(whoAndWhen.length === 0 ? {} : { whoAndWhen: causeFigures(whoAndWhen) }),
  };
}

function judge(labelled: LabelledConversation): Judged {
  const snapshot = snapshotOfScript(labelled.script);
  const found = BUILT_IN_RULES.flatMap((rule) => evaluateRule(rule, snapshot, rule.defaultConfiguration));
  const { score, suspects, detections } = diagnose(snapshot, found);
  return { labelled, messages: snapshot.messages, score, suspects, symptoms: detections };
}
