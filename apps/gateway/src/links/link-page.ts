import type { Request } from 'express';
import { z } from 'zod';
import type { Html } from '../pages/html.ts';
import { formAgain, type PageAnswer } from '../pages/page-routes.ts';

export interface ShownForm {
  title: string;
  content: Html;
}

/** Shows the form again, with what was wrong. */
export function refusedForm(error: unknown, again: (problem: string) => ShownForm): PageAnswer {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return { ...again(`${String(issue?.path[0] ?? 'password')}: ${issue?.message ?? 'is not valid'}`), status: 400 };
  }
  return formAgain(error, again);
}

/** Goes on to the first page, signed in. */
export function signedInAnswer({ setCookie }: { setCookie: string }): PageAnswer {
  return { goTo: '/', headers: { 'set-cookie': setCookie } };
}

/** Token in the path of a page. */
export function tokenOf(request: Request): string {
  const { token } = request.params;
  return typeof token === 'string' ? token : '';
}
