import { BUILT_IN_RULES, DEFAULT_RULE_CONFIGURATION, type RuleDefinition } from '@clew/rules';

/**
 * Sets the number of Rules: drops built-in ones, or adds Rules that read every message and find nothing, as most Rules
 * do most of the time.
 */
export function setRules(wanted: number): void {
  const rules = BUILT_IN_RULES as RuleDefinition[];
  rules.length = Math.min(rules.length, wanted);
  while (rules.length < wanted) rules.push(extractionRule(rules.length));
}

function extractionRule(index: number): RuleDefinition {
  const ruleKey = `bench_reads_${index}`;
  return {
    ...{ ruleId: `rule_${ruleKey}`, ruleKey, name: ruleKey, description: 'Reads and finds nothing' },
    ...{ categoryKey: 'bench', keywordsMeaning: null, signals: [], defaultConfiguration: DEFAULT_RULE_CONFIGURATION },
    detect(snapshot) {
      const found = snapshot.messages.filter(({ content }) => content.includes(`what nobody ever says ${index}`));
      if (found.length > 0) throw new Error('Somebody said it');
      return [];
    },
  };
}
