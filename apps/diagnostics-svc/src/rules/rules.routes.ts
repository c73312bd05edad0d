import { getRule, listRules, updateRule } from '@clew/contracts';
import { answer, doerOf, route, type Route } from '@clew/http';
import { rulesUnavailable, type RulesService } from './rules.service.ts';

/** Routes for Rules; `rules` is undefined if the rule service is not mounted. */
export function ruleRoutes(rules: RulesService | undefined): Route[] {
  const mounted = () => {
    if (rules === undefined) throw rulesUnavailable();
    return rules;
  };
  return [
    route(listRules, async ({ params, query }) => answer(200, await mounted().list(params.projectId, query))),
    route(getRule, async ({ params }) => answer(200, await mounted().get(params.projectId, params.ruleId))),
    route(updateRule, async ({ params, body }, context) =>
      answer(200, await mounted().change(params.projectId, params.ruleId, body, doerOf(context))),
    ),
  ];
}
