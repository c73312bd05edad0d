import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { Router, type Request, type Response } from 'express';
import { AppError, methodNotAllowed, notFound } from '@clew/kernel';
import { markup } from '../pages/html.ts';
import { SHOWN_HEADERS } from '../pages/layout.ts';
import { BASE_ELEMENT, type Asset, type WorkbenchFiles } from './workbench-files.ts';

/** Headers of the page and its assets: script, style and requests of this origin only, no frame around it. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  ...SHOWN_HEADERS,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Names of assets hold a hash of their content, so that what has a name never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const ROOT = '/';
const ASSETS = /^\/assets(?:\/|$)/;

/** Routes of the Workbench: its assets, and its page at every other path, since the page finds its way by the path. */
export function workbenchRouter({ indexHtml, assets }: WorkbenchFiles, publicUrl: string): Router {
  const sendIndex = indexSender(withBase(indexHtml, publicUrl));
  const router = Router();
  router.use((request, response) => {
    const { path } = request;
    const asset = assets.get(path);
    if (!['GET', 'HEAD'].includes(request.method)) {
      throw path === ROOT || asset !== undefined ? methodNotAllowed(['GET']) : notFound();
    }
    if (asset !== undefined) return sendAsset(request, response, asset);
    if (ASSETS.test(path)) throw missingAsset();
    // A program that asks for a path by mistake is told so, and gets no page.
    response.vary('accept');
    if (path !== ROOT && request.headers.accept?.includes('text/html') !== true) throw notFound();
    sendIndex(response);
  });
  return router;
}

/** Writes the path at which callers reach the deployment into the page. */
function withBase(indexHtml: string, publicUrl: string): string {
  const { pathname } = new URL(publicUrl);
  const base = markup`<base href="${pathname.endsWith('/') ? pathname : `${pathname}/`}">`.toString();
  return indexHtml.replace(BASE_ELEMENT, () => base);
}

function indexSender(html: string): (response: Response) => void {
  const etag = `"${createHash('sha256').update(html).digest('base64url')}"`;
  // Express answers 304 by itself where the caller has this version.
  return (response) =>
    void response
      .set({ ...HEADERS, 'cache-control': 'no-cache', etag })
      .type('html')
      .send(html);
}

function sendAsset(request: Request, response: Response, { content, encoded }: Asset): void {
  response.set({ ...HEADERS, 'cache-control': FOR_EVER }).vary('accept-encoding');
  response.type(posix.extname(request.path) || 'bin');
  const encoding = (['br', 'gzip'] as const).find(
    (each) => encoded[each] !== undefined && request.acceptsEncodings(each) !== false,
  );
  if (encoding !== undefined) response.set('content-encoding', encoding);
  response.send((encoding === undefined ? undefined : encoded[encoding]) ?? content);
}

/** Error that nobody remembers: while replicas are replaced, another one has what this one lacks. */
function missingAsset(): AppError {
  return new AppError('NOT_FOUND', 'Not found', { headers: { 'cache-control': 'no-store' } });
}
