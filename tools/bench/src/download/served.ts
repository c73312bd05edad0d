/** What the hub of this benchmark has. */
export const REPO_ID = 'clew/large';
export const FILE = 'model.gguf';
