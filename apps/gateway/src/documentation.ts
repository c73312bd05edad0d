import { Router } from 'express';
import swaggerUi from 'swagger-ui-express';

/** `/openapi.json`, and `/docs`: a page to read the API and to try it. */
export function documentationRouter(openApiFile: string): Router {
  const router = Router();
  router.get('/openapi.json', (_request, response) => {
    response.sendFile(openApiFile);
  });
  router.use(
    '/docs',
    swaggerUi.serve,
    swaggerUi.setup(undefined, { customSiteTitle: 'Clew API', swaggerOptions: { url: '/openapi.json' } }),
  );
  return router;
}
