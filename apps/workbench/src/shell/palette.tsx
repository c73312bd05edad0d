import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useRef, useState, type ReactNode } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import { clew } from '../api/client.ts';
import { projectsQuery } from '../api/queries.ts';
import { commands } from '../commands/registry.ts';
import { commandOf, type CommandId } from '../commands/table.ts';
import { useActiveCommands } from '../commands/use-commands.ts';
import { visibleText } from '../text/visible-text.ts';
import { Keys } from '../ui/button.tsx';
import { paletteCommands, pastedThing } from './palette-items.ts';

interface Offer {
  readonly id: string;
  readonly text: string;
  readonly hint?: ReactNode;
  readonly choose: () => void;
}

interface PaletteProps {
  readonly projectId: string;
  readonly onClose: () => void;
}

const SHOWN = 6;

/** Search over commands, Findings, conversations and projects. */
export default function Palette({ projectId, onClose }: PaletteProps): ReactNode {
  const [typed, setTyped] = useState('');
  const sections = useOffers(projectId, typed);
  const offers = sections.flatMap((section) => section.offers);
  // Commands act once the palette has gone: the page has its focus back then.
  const chosen = useRef<(() => void) | undefined>(undefined);
  const choose = (id: string) => {
    chosen.current = offers.find((offer) => offer.id === id)?.choose;
    onClose();
    setTimeout(() => chosen.current?.(), 0);
  };
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      className="fixed inset-0 z-40 flex justify-center bg-[rgb(0_0_0/0.42)] px-4 pt-[14vh]"
    >
      <Modal className="h-fit w-full max-w-xl">
        <Dialog
          aria-label="Search"
          className="overflow-hidden rounded-xl border border-line-strong bg-raised shadow-2xl outline-none"
        >
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <SearchField aria-label="Search" autoFocus className="border-b border-line">
              <Input
                placeholder="Search Findings, conversations and commands, or paste an id"
                className="h-12 w-full bg-transparent px-4 text-base outline-none placeholder:text-muted"
              />
            </SearchField>
            <div
              role="region"
              aria-label="What was found"
              tabIndex={0}
              className="max-h-[50vh] overflow-auto -outline-offset-2"
            >
              <Menu
                aria-label="Results"
                className="p-1.5 outline-none"
                onAction={(key) => choose(String(key))}
                renderEmptyState={() => <p className="px-3 py-6 text-center text-muted">Nothing found</p>}
              >
                {sections
                  .filter((section) => section.offers.length > 0)
                  .map((section) => (
                    <MenuSection key={section.title} id={section.title}>
                      <Header className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{section.title}</Header>
                      {section.offers.map(({ id, text, hint }) => (
                        <MenuItem
                          key={id}
                          id={id}
                          textValue={text}
                          className="flex items-center gap-3 rounded-md px-2.5 py-2 outline-none data-[focused]:bg-hover"
                        >
                          <span className="min-w-0 flex-1 truncate">{text}</span>
                          <span className="shrink-0 text-xs text-muted">{hint}</span>
                        </MenuItem>
                      ))}
                    </MenuSection>
                  ))}
              </Menu>
            </div>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function useOffers(projectId: string, typed: string): { title: string; offers: Offer[] }[] {
  const navigate = useNavigate();
  const active = useActiveCommands();
  const q = useDeferredValue(typed.trim());
  const isSearch = q.length > 1;
  const { data: projects = [] } = useQuery(projectsQuery);
  const findings = useQuery({
    queryKey: ['search', projectId, 'findings', q],
    queryFn: ({ signal }) =>
      clew.findings.list({ q, limit: SHOWN, project: projectId, signal }).toArray({ max: SHOWN }),
    enabled: isSearch,
  });
  const conversations = useQuery({
    queryKey: ['search', projectId, 'conversations', q],
    queryFn: ({ signal }) =>
      clew.conversations.list({ q, limit: SHOWN, project: projectId, signal }).toArray({ max: SHOWN }),
    enabled: isSearch,
  });
  const openFinding = (findingId: string) => () =>
    void navigate({ to: '/p/$projectId/findings/$findingId', params: { projectId, findingId } });
  const openConversation = (conversationId: string) => () =>
    void navigate({ to: '/p/$projectId/conversations/$conversationId', params: { projectId, conversationId } });
  const pasted = pastedThing(typed);
  const lower = q.toLowerCase();
  return [
    {
      title: 'Id',
      offers:
        pasted === undefined
          ? []
          : [
              {
                id: 'pasted',
                text: `Open the ${pasted.kind} ${pasted.id}`,
                choose: pasted.kind === 'finding' ? openFinding(pasted.id) : openConversation(pasted.id),
              },
            ],
    },
    {
      title: 'Findings',
      offers: (isSearch ? (findings.data ?? []) : []).map(({ id, title, severity }) => ({
        ...{ id: `finding ${id}`, text: visibleText(title), hint: severity },
        choose: openFinding(id),
      })),
    },
    {
      title: 'Conversations',
      offers: (isSearch ? (conversations.data ?? []) : []).map(({ id, preview }) => ({
        ...{ id: `conversation ${id}`, text: visibleText(preview === '' ? id : preview) },
        choose: openConversation(id),
      })),
    },
    { title: 'Commands', offers: paletteCommands(typed, active).map(commandOffer) },
    {
      title: 'Projects',
      offers: projects
        .filter(({ id, name }) => id !== projectId && name.toLowerCase().includes(lower))
        .slice(0, SHOWN)
        .map(({ id, name }) => ({
          ...{ id: `project ${id}`, text: visibleText(name) },
          choose: () => void navigate({ to: '/p/$projectId', params: { projectId: id } }),
        })),
    },
  ];
}

function commandOffer(id: CommandId): Offer {
  return {
    id: `command ${id}`,
    text: commandOf(id).title,
    hint: <Keys command={id} />,
    choose: () => commands.run(id),
  };
}
