import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Router, type RequestHandler } from 'express';
import swaggerUi from 'swagger-ui-express';
import { methodNotAllowed, notFound } from '@clew/kernel';
import { SHOWN_HEADERS } from './pages/layout.ts';

const PAGE = '/docs';

// The redirect to `/docs/` is made here. The one of the static file server runs in a file system callback: if an answer
// had already gone out (to a request that turned out broken), its exception would end the process.
const serveAssets = swaggerUi.serveWithOptions({ redirect: false });
const addSlash: RequestHandler = (request, response, next) => {
  if (request.originalUrl.split('?', 1)[0] === PAGE) response.redirect(301, `${PAGE}/`);
  else next();
};

/** Settings of the page; functions among them are sent to the browser as text, and can use nothing from here. */
const SETTINGS: swaggerUi.SwaggerUiOptions = {
  customSiteTitle: 'Clew API',
  // The content policy blocks the `style` attribute by which this image takes no room.
  customCss: 'body > svg { position: absolute; width: 0; height: 0 }',
  swaggerOptions: {
    url: '/openapi.json',
    docExpansion: 'none',
    filter: true,
    tryItOutEnabled: true,
    // A key that is entered is gone with the page.
    persistAuthorization: false,
    // Requests are authorized by the key that was entered, and never by the session of whoever looks at the page.
    requestInterceptor: (request: { credentials?: string }) => {
      request.credentials = 'omit';
      return request;
    },
    // The page asks no server of others what it thinks of the document.
    validatorUrl: null,
  },
};

/** Headers of the page and its files: script and requests of this deployment only, no frame around it. */
function headersOf(html: string): Readonly<Record<string, string>> {
  const styles = html
    .split('<style>')
    .slice(1)
    .map((rest) => rest.split('</style>', 1)[0] ?? '')
    .map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  return {
    ...SHOWN_HEADERS,
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' ${styles.join(' ')}`,
      "img-src 'self' data:",
      "connect-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
  };
}

/** Routes of `/openapi.json` and of `/docs`, a page to read the API and to try it. */
export function documentationRouter(openApiFile: string): Router {
  const router = Router();
  let document: Buffer | undefined;
  router.get('/openapi.json', async (_request, response) => {
    document ??= await readFile(openApiFile).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? notFound() : error;
    });
    response.type('json').send(document);
  });
  router.all('/openapi.json', () => {
    throw methodNotAllowed(['GET']);
  });
  const headers = headersOf(swaggerUi.generateHTML(undefined, SETTINGS));
  const protect: RequestHandler = (_request, response, next) => {
    response.set(headers);
    next();
  };
  router.use(PAGE, addSlash, protect, serveAssets, swaggerUi.setup(undefined, SETTINGS));
  return router;
}
