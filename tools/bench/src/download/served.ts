/** Repository and file that the hub of this benchmark serves. */
export const REPO_ID = 'clew/large';
export const FILE = 'model.gguf';
