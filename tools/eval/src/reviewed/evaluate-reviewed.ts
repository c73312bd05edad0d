import { createHash } from 'node:crypto';
import { SEVERITIES } from '@clew/contracts';
import { readConversation, type AskModel, type ConversationReading } from '@clew/review';
import { BUILT_IN_RULES, diagnose, evaluateRule } from '@clew/rules';
import { domainFigures } from '../domains/domain-figures.ts';
import type { Judged } from '../figures/judged.ts';
import { readDomains, type Domain } from '../labelled/domains.ts';
import type { LabelledConversation } from '../labelled/labelled-conversations.ts';
import { snapshotOfScript } from '../offline/scripted-snapshot.ts';
import { askProvider, type ProviderModel } from './ask-provider.ts';

export interface ReviewedOptions extends ProviderModel {
  /** Conversations of each domain, half of them failed ones where there are both. */
  perDomain: number;
  /** Word that draws the sample; another word draws other conversations. */
  sample?: string | undefined;
  /** Domains to read; all by default. */
  domains?: readonly string[] | undefined;
}

const MAX_HINTS = 20;
const REVIEW = 'conversation_review';
/** Conversations that are read at a time. */
const AT_A_TIME = 100;

/**
 * Has a model read some conversations of each domain, as the product does, and compares its probability and its
 * problems with the labels, which the model never sees.
 */
export async function evaluateReviewed(dataFolder: string, options: ReviewedOptions): Promise<object> {
  const ask = askProvider(options);
  const domains = readDomains(dataFolder).filter(({ name }) => options.domains?.includes(name) ?? true);
  const readings: ConversationReading[] = [];
  const read = async (labelled: LabelledConversation): Promise<Judged> => {
    const { judged, reading } = await reviewed(ask, labelled);
    readings.push(reading);
    return judged;
  };
  const judged = await Promise.all(
    domains.map(async (domain) => ({
      ...domain,
      judged: await inTurns(sampleOf(domain, options), AT_A_TIME, read),
    })),
  );
  const total = (numberOf: (reading: ConversationReading) => number) =>
    readings.reduce((sum, reading) => sum + numberOf(reading), 0);
  return {
    read: readings.length,
    problems: total(({ problems }) => problems.length),
    dropped: total(({ dropped }) => dropped),
    refuted: total(({ refuted }) => refuted),
    ...domainFigures(judged),
  };
}

/** Conversations in the order of a hash of their ids, as many failed as successful ones. */
function sampleOf(
  { conversations }: Domain,
  { perDomain: count, sample = 'sample' }: Pick<ReviewedOptions, 'perDomain' | 'sample'>,
): LabelledConversation[] {
  const hashOf = ({ script }: LabelledConversation) =>
    createHash('sha256').update(`${sample}:${script.conversationId}`).digest('hex');
  const ordered = conversations.toSorted((one, other) => (hashOf(one) < hashOf(other) ? -1 : 1));
  const [failed, good] = [ordered.filter((each) => !each.succeeded), ordered.filter((each) => each.succeeded)];
  const half = Math.ceil(count / 2);
  const goodCount = Math.min(good.length, count - Math.min(half, failed.length));
  return [...failed.slice(0, count - goodCount), ...good.slice(0, goodCount)];
}

async function reviewed(
  ask: AskModel,
  labelled: LabelledConversation,
): Promise<{ judged: Judged; reading: ConversationReading }> {
  const snapshot = snapshotOfScript(labelled.script);
  const found = BUILT_IN_RULES.flatMap((rule) => evaluateRule(rule, snapshot, rule.defaultConfiguration));
  const { suspects, detections } = diagnose(snapshot, found);
  const hints = detections
    .toSorted((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity))
    .slice(0, MAX_HINTS)
    .map(({ title, anchor, evidence }) => ({ stepIndex: (evidence[0]?.location ?? anchor).stepIndex, text: title }));
  const reading = await readConversation(ask, snapshot, { hints, knownKinds: [], contextLength: null });
  const { problems, decisiveStep, failureProbability } = reading;
  const symptoms = [
    ...detections.map(({ severity, ruleKey }) => ({ severity, ruleKey })),
    ...problems.map(({ severity }) => ({ severity, ruleKey: REVIEW })),
  ];
  const decisiveFirst = problems.toSorted(
    (one, other) => Number(other.stepIndex === decisiveStep) - Number(one.stepIndex === decisiveStep),
  );
  const own = decisiveFirst.map(({ stepIndex, agent }) => ({ stepIndex, agent: agent ?? '' }));
  return {
    reading,
    judged: {
      ...{ labelled, messages: snapshot.messages, score: failureProbability },
      suspects: own.length > 0 ? own : suspects,
      symptoms,
    },
  };
}

/** Maps with a limited number at a time, in order. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  atATime: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += atATime)
    results.push(...(await Promise.all(items.slice(from, from + atATime).map(map))));
  return results;
}
