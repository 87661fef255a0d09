import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The page: plain files with hashed names; the ui process serves them and adds the policy that guards them. */
export default defineConfig({
  root: folder('./src/page'),
  publicDir: folder('./src/page/public'),
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
      onLog(level, log, report) {
        // Libraries mark their files for servers that render React; there is none here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
