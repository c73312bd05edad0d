import { readFile } from 'node:fs/promises';
import { Router, type RequestHandler } from 'express';
import swaggerUi from 'swagger-ui-express';
import { methodNotAllowed, notFound } from '@clew/kernel';

const PAGE = '/docs';

// The redirect to `/docs/` is made here. The one of the static file server runs in a file system callback: if an answer
// had already gone out (to a request that turned out broken), its exception would end the process.
const serveAssets = swaggerUi.serveWithOptions({ redirect: false });
const addSlash: RequestHandler = (request, response, next) => {
  if (request.originalUrl.split('?', 1)[0] === PAGE) response.redirect(301, `${PAGE}/`);
  else next();
};

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
  router.use(
    PAGE,
    addSlash,
    serveAssets,
    swaggerUi.setup(undefined, { customSiteTitle: 'Clew API', swaggerOptions: { url: '/openapi.json' } }),
  );
  return router;
}
