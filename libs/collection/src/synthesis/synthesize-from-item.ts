import type { KnowledgeItem } from '@clew/contracts';
import { speaksToReaders } from '@clew/knowledge';
import { maxAnswerTokensOf, maxCharactersOf } from '@clew/review';
import { refused } from '../decision.ts';
import { lookAtItem } from '../look-at-item.ts';
import { ItemAnswer, SecondLookAnswer } from './answers.ts';
import type { AskModel } from './ask-model.ts';
import { checkedItemAnswer } from './item-checks.ts';
import { itemExample } from './item-example.ts';
import { itemPrompt, itemSceptic } from './item-prompt.ts';
import { personsIn } from './persons.ts';
import { afterSecondLook, modelTag, valid, type SynthesisOptions, type Synthesized } from './synthesized.ts';

/**
 * Has a model write a question and its answer about a Knowledge item as it is now, and makes an Example of them. They
 * count only if the item still holds, if the answer rests on exact quotes of it and says no more, and unless a sceptic
 * finds that they are not right.
 */
export async function synthesizeFromItem(
  ask: AskModel,
  item: KnowledgeItem | undefined,
  { datasetId, redaction, model, contextLength, nowMs }: SynthesisOptions & { nowMs: number },
): Promise<Synthesized> {
  const look = lookAtItem(item, { datasetId, nowMs });
  if (look.status !== 'to_synthesize' || item === undefined)
    return look.status === 'refused' ? look : refused('item_gone');
  // Nothing can rest on words that instruct the model which reads them.
  if (speaksToReaders(`${item.title}\n${item.content}`)) return refused('not_grounded');
  const maxTokens = maxAnswerTokensOf(contextLength);
  const room = maxCharactersOf(contextLength);
  const answer = await ask({ name: 'synthesis', schema: ItemAnswer, messages: itemPrompt(item, room), maxTokens });
  const checked = checkedItemAnswer(answer, item);
  if (typeof checked === 'string') return refused(checked);
  const { derivationKey } = look;
  const made = valid(
    itemExample(item, checked, { derivationKey, tags: [modelTag(model)], redaction, persons: personsIn(answer) }),
  );
  if (made.status === 'refused') return made;
  const messages = itemSceptic(item, checked, room);
  return afterSecondLook(made, await ask({ name: 'second-look', schema: SecondLookAnswer, messages, maxTokens }));
}
