import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Asks for the typefaces together with the styles that name them: no word is set anew while it is read. The italic is
 * fetched where it is used: browsers complain of what is asked for ahead and then not needed.
 */
const preloadTypefaces = {
  name: 'preload-typefaces',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => name.endsWith('.woff2') && !name.includes('italic'))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: '' },
          injectTo: 'head',
        })),
  },
};

/** The page: plain files with hashed names; the ui process serves them and adds the policy that guards them. */
export default defineConfig({
  root: folder('./src/page'),
  publicDir: folder('./src/page/public'),
  resolve: { alias: { '@typefaces': folder('./dist/typefaces') } },
  plugins: [preloadTypefaces],
  build: {
    outDir: folder('./dist/page'),
    emptyOutDir: true,
    target: 'es2023',
    // The browsers that know light-dark() and field-sizing; colours are then left as they are written.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Nothing may be inlined: the policy allows no inline script, and a file is cached for good.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    rolldownOptions: {
      // How long a plugin took on a busy machine is no fault of the page.
      checks: { pluginTimings: false },
      onLog(level, log, report) {
        // Libraries mark their files for servers that render React; there is none here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
