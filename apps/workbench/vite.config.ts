import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';

/** Address of a running stack, to which the development server passes what the gateway answers. */
const GATEWAY = process.env['CLEW_URL'] ?? 'http://127.0.0.1:8080';

const CONFIG: UserConfig = {
  // Relative addresses: the gateway writes the base of the page, so that one build serves any path.
  base: './',
  plugins: [react(), tailwindcss()],
  resolve: { conditions: ['clew-source', 'module', 'browser', 'production'] },
  build: {
    target: ['chrome123', 'firefox121', 'safari17.5'],
    modulePreload: { polyfill: false },
    // The policy of the page allows no `data:` but images.
    assetsInlineLimit: 0,
    manifest: 'assets/manifest.json',
    reportCompressedSize: false,
    // All that every page begins with comes in one file: a request costs more than what it brings.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'base', tags: ['$initial'] }] } } },
  },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/sign-in', '/sign-out', '/setup', '/password', '/invitations', '/resets', '/device', '/docs'].map(
        (path) => [path, { target: GATEWAY, xfwd: true }],
      ),
    ),
  },
};

export default defineConfig(({ command }) => {
  // A test or a shell may have another value, with which React would be built for development: twice as large and slow.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return CONFIG;
});
