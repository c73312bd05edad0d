let page = 'Clew';
let progress: string | undefined;

/** Names the page in the title of the tab. */
export function setTabTitle(title: string): void {
  page = title;
  show();
}

/** Puts how far something is before the title of every page; undefined once it is done. */
export function setTabProgress(text: string | undefined): void {
  progress = text;
  show();
}

/** Title of the tab: `42% · Findings · Clew`. */
export function tabTitle(title: string, text: string | undefined): string {
  return text === undefined ? title : `${text} · ${title}`;
}

function show(): void {
  document.title = tabTitle(page, progress);
}
