import path from 'node:path';

/** Forms in which applications run: the TypeScript of the checkout, or the JavaScript that the build makes of it. */
export const APP_FORMS = ['sources', 'built'] as const;
export type AppForm = (typeof APP_FORMS)[number];

/** Programs of a set of applications: the folder that holds a folder for each, and the form in which they run. */
export interface AppPrograms {
  appsDirectory: string;
  form: AppForm;
}

/**
 * Arguments with which Node begins a script of an application. Node strips the types of sources itself; the condition
 * lets the libraries that they import be sources, too. Images run what is built, and so does everything that tests or
 * measures a whole stack.
 */
export function scriptArguments({ appsDirectory, form }: AppPrograms, folder: string, script: string): string[] {
  if (form === 'built') return [path.join(appsDirectory, folder, 'dist', `${script}.js`)];
  return ['--conditions=clew-source', path.join(appsDirectory, folder, 'src', `${script}.ts`)];
}
