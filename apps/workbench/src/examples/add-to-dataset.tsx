import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { answerIndex, answersOf } from './example-of-conversation.ts';
import { datasetListQuery } from './queries.ts';
import { counted } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { visibleText } from '../text/visible-text.ts';
import { Button, buttonClass, CommandButton, Keys } from '../ui/button.tsx';
import { SelectField } from '../ui/fields.tsx';
import { ModalDialog } from '../ui/overlay.tsx';
import { Loaded, withData } from '../ui/states.tsx';

interface AddProps {
  readonly projectId: string;
  readonly conversation: Pick<Api.Conversation, 'id' | 'messages'>;
  /** Step at which something went wrong, where one is known. */
  readonly step: number | undefined;
}

/** Makes an Example of the conversation that is shown, in which its bad answer is the rejected one. */
export function AddToDataset(props: AddProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <CommandButton look="quiet" command="example.edit" onPress={() => setOpen(true)}>
        Add to a Dataset <Keys command="example.edit" />
      </CommandButton>
      {isOpen ? <AddDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const LATEST = 'clew.latest-dataset';

function AddDialog({ projectId, conversation, step, onClose }: AddProps & { readonly onClose: () => void }): ReactNode {
  const list = useInfiniteQuery(datasetListQuery(projectId, { limit: 100 }));
  const navigate = useNavigate();
  const datasets = list.data?.pages.flatMap(({ data }) => data);
  const [chosenId, setChosenId] = useState(() => sessionStorage.getItem(LATEST) ?? '');
  const answers = answersOf(conversation.messages);
  const [answer, setAnswer] = useState(() => conversation.messages[answerIndex(conversation.messages, step)]?.index);
  const chosen = datasets?.find(({ id }) => id === chosenId) ?? datasets?.[0];
  const go = () => {
    if (chosen === undefined) return;
    sessionStorage.setItem(LATEST, chosen.id);
    onClose();
    void navigate({
      to: '/p/$projectId/datasets/$datasetId/examples/$exampleId',
      params: { projectId, datasetId: chosen.id, exampleId: 'new' },
      search: { conversation: conversation.id, step: answer },
    });
  };
  return (
    <ModalDialog
      title="Add the conversation to a Dataset"
      isOpen
      onClose={onClose}
      closeLabel="Cancel"
      actions={
        <Button look="main" isDisabled={chosen === undefined} onPress={go}>
          Write the Example
        </Button>
      }
    >
      <Loaded query={withData(list, datasets)} label="Datasets are being read" lines={2}>
        {(all) =>
          chosen === undefined ? (
            <div className="flex flex-col items-start gap-3">
              <p>The project has no Dataset yet.</p>
              <Link to="/p/$projectId/datasets" params={{ projectId }} className={buttonClass()}>
                To the Datasets
              </Link>
            </div>
          ) : (
            <form
              className="flex flex-col gap-3"
              onSubmit={(event) => {
                event.preventDefault();
                go();
              }}
            >
              <SelectField
                autoFocus
                label="Dataset"
                value={chosen.id}
                options={all.map(({ id, name, exampleCount }) => ({
                  id,
                  label: `${visibleText(name)} (${counted(exampleCount, 'Example')})`,
                }))}
                onChange={setChosenId}
              />
              <SelectField
                label="Answer that should have been another"
                value={String(answer ?? '')}
                options={answers.map(({ index, words }) => ({ id: String(index), label: words }))}
                onChange={(index) => setAnswer(Number(index))}
              />
              <p className="text-muted">
                All that was said before it becomes the input, and it becomes the rejected answer. The next page is the
                form in which you write the answer that should have been given; <HostileText text={chosen.name} /> has
                it once you save.
              </p>
            </form>
          )
        }
      </Loaded>
    </ModalDialog>
  );
}
