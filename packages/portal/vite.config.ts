import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { bundled } from './build/bundled.ts';
import { compiledEarly } from './build/compiled-early.ts';
import { compressed } from './build/compressed.ts';
import { FIRST_TEXTS, firstTexts, textsOfLanguage } from './build/first-texts.ts';
import { icons } from './build/icons.ts';

export default defineConfig({
  plugins: [react(), icons(), firstTexts(), compiledEarly(), bundled(), compressed()],
  // The server puts a nonce of its own in place of this into each page that it sends; Mantine needs it for styles that depend on properties.
  html: { cspNonce: 'NONCE-OF-THIS-PAGE' },
  build: {
    target: 'es2022',
    // Fonts and pictures as data: would need a looser content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The part that every page needs; test/portal/pages/overview.test.ts limits what the first screen loads.
    chunkSizeWarningLimit: 700,
    rollupOptions: {
      input: { index: 'index.html', 'service-worker': 'src/offline/worker.ts' },
      output: {
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? 'service-worker.js' : 'assets/[name]-[hash].js',
        codeSplitting: {
          groups: [
            // What every page needs, in one file: each further one costs a turn on slow networks.
            { name: 'app', tags: ['$initial'], test: (id) => !id.includes('/src/offline/') },
            { name: textsOfLanguage, test: FIRST_TEXTS, debugName: 'texts' },
          ],
        },
      },
    },
  },
  // Development only: the running server answers what is not a file of the app.
  server: { proxy: { '/portal': 'http://127.0.0.1:8082' } },
});
