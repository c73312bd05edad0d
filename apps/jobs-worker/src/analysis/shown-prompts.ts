import { MAX_PROMPT_TOOLS, MAX_SHOWN_PROMPTS, type ConversationSnapshot, type ShownPrompt } from '@clew/contracts';
import { promptsOf } from '@clew/rules';

/** Collects the prompts in the snapshots of a message: each prompt once, with the tools of all its snapshots. */
export interface ShownPrompts {
  add(snapshot: ConversationSnapshot): void;
  /** Takes the prompts that were collected since the last call. */
  take(): ShownPrompt[];
}

export function createShownPrompts(): ShownPrompts {
  const shown = new Map<string, ShownPrompt>();
  return {
    add(snapshot) {
      for (const { promptHash, agent, tools } of promptsOf(snapshot)) {
        const key = `${promptHash} ${agent ?? ''}`;
        const known = shown.get(key);
        if (known === undefined && shown.size >= MAX_SHOWN_PROMPTS) continue;
        const all = new Set([...(known?.tools ?? []), ...tools]);
        shown.set(key, {
          promptHash,
          ...(agent === undefined ? {} : { agent }),
          tools: [...all].slice(0, MAX_PROMPT_TOOLS),
          snapshotId: known?.snapshotId ?? snapshot.snapshotId,
        });
      }
    },
    take() {
      const taken = [...shown.values()];
      shown.clear();
      return taken;
    },
  };
}
