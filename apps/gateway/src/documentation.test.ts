import { createHash } from 'node:crypto';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startFront, type Front } from './test-support/front.ts';

let front: Front;

beforeAll(async () => {
  front = await startFront({ upstreamUrl: 'http://127.0.0.1:9' });
});
afterAll(() => front.stop());

async function read(path: string) {
  const response = await fetch(new URL(path, `${front.url}/docs/`));
  return { response, text: await response.text() };
}

function policyOf(response: Response): Record<string, string[]> {
  const directives = (response.headers.get('content-security-policy') ?? '').split('; ');
  return Object.fromEntries(directives.map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]));
}

/** Values of an attribute of the elements of a page with that name. */
function attributesOf(html: string, element: string, attribute: string): string[] {
  const elements = html.match(new RegExp(`<${element}\\b[^>]*>`, 'g')) ?? [];
  return elements.map((text) => new RegExp(`${attribute}=["']([^"']*)["']`).exec(text)?.[1] ?? '');
}

/** Settings with which the script of the page starts Swagger UI. */
async function settings(): Promise<Record<string, unknown>> {
  let given: Record<string, unknown> = {};
  const SwaggerUIBundle = Object.assign((options: Record<string, unknown>) => (given = options), {
    presets: { apis: {} },
    plugins: { DownloadUrl: {} },
  });
  const window = { location: { search: '?url=https://evil.example/', origin: front.url }, onload: () => undefined };
  const context = createContext({ window, SwaggerUIBundle, SwaggerUIStandalonePreset: {} });
  runInContext((await read('swagger-ui-init.js')).text, context);
  window.onload();
  return given;
}

describe('the page of the API', () => {
  it('loads everything that it is made of under its own content policy, and nothing from elsewhere', async () => {
    const { response, text } = await read('');
    const policy = policyOf(response);
    expect(policy['default-src']).toEqual(["'none'"]);
    expect(policy['script-src']).toEqual(["'self'"]);
    expect(policy['connect-src']).toEqual(["'self'"]);
    expect(policy['frame-ancestors']).toEqual(["'none'"]);
    const [scripts, links] = [attributesOf(text, 'script', 'src'), attributesOf(text, 'link', 'href')];
    expect(scripts).toHaveLength(3);
    expect(links.length).toBeGreaterThan(0);
    for (const path of [...scripts, ...links]) {
      expect(path).toMatch(/^\.\/[\w.-]+$/);
      const asset = await read(path);
      expect(asset.response.status).toBe(200);
      expect(asset.response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(asset.response.headers.get('content-type')).toMatch(
        path.endsWith('.js') ? /javascript/ : path.endsWith('.css') ? /text\/css/ : /image\/png/,
      );
    }
    const styles = [...text.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, style = '']) => style);
    expect(styles.length).toBeGreaterThan(0);
    for (const style of styles) {
      expect(policy['style-src']).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    }
    expect(text).not.toMatch(/<script>|\son\w+=/);
    // The only style attribute, which the policy blocks, is said again in a style that it allows.
    expect(attributesOf(text, '[a-z]+', ' style').filter((style) => style !== '')).toEqual([
      'position:absolute;width:0;height:0',
    ]);
    expect(styles.join('')).toContain('body > svg { position: absolute; width: 0; height: 0 }');
  });

  it('tries requests with a key that is entered, which it does not keep, and never with a session', async () => {
    const given = await settings();
    expect(given).toMatchObject({ tryItOutEnabled: true, persistAuthorization: false, validatorUrl: null });
    expect(given['url']).toBe('/openapi.json');
    expect(given).not.toHaveProperty('supportedSubmitMethods');
    expect(given).not.toHaveProperty('withCredentials');
    const intercept = given['requestInterceptor'] as (request: object) => object;
    const asked = { url: `${front.url}/v1/me`, credentials: 'same-origin', headers: { authorization: 'Bearer k' } };
    expect(intercept(asked)).toEqual({ ...asked, credentials: 'omit' });
  });
});
