import { readFile } from 'node:fs/promises';
import { Router } from 'express';
import swaggerUi from 'swagger-ui-express';
import { notFound } from '@clew/kernel';

/** `/openapi.json`, and `/docs`: a page to read the API and to try it. */
export function documentationRouter(openApiFile: string): Router {
  const router = Router();
  let document: Buffer | undefined;
  router.get('/openapi.json', async (_request, response) => {
    document ??= await readFile(openApiFile).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? notFound() : error;
    });
    response.type('json').send(document);
  });
  router.use(
    '/docs',
    swaggerUi.serve,
    swaggerUi.setup(undefined, { customSiteTitle: 'Clew API', swaggerOptions: { url: '/openapi.json' } }),
  );
  return router;
}
