import type { SettingsSearch } from './settings-search.ts';

/** Facts that every part of the settings gets. */
export interface PartProps {
  readonly projectId: string;
  readonly search: SettingsSearch;
  readonly onSearch: (search: SettingsSearch) => void;
}
