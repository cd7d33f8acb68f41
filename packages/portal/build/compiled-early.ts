import type { Plugin } from 'vite';
import { FIRST_TEXTS_FILE } from './first-texts.ts';

/** V8 then compiles every function of a file while it arrives, beside the page's own thread; other engines read a comment. https://v8.dev/blog/explicit-compile-hints */
const HINT = '//# allFunctionsCalledOnLoad\n';

/** What the first page runs, most of which V8 would otherwise read twice, the second time on the page's own thread. */
const isFirst = (fileName: string): boolean =>
  /^assets\/index-[^/]+\.js$/.test(fileName) || FIRST_TEXTS_FILE.test(fileName);

/** Puts the hint at the head of these files. Last, since Vite itself adds a line there. */
export const compiledEarly = (): Plugin => ({
  name: 'compiled-early',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && isFirst(file.fileName)) file.code = HINT + file.code;
    },
  },
});
