import type { Plugin } from 'vite';

/** Texts that the first page needs. */
export const FIRST_TEXTS =
  /\/src\/(?:app|session|parts|wire|screens\/overview)\/texts\/(?:en|de|es|zh)\.ts$/;

/** The file in which the first texts of a module's language are. */
export const textsOfLanguage = (id: string): string => `texts-${/(\w+)\.ts$/.exec(id)![1]}`;

/** Such a file in the build, with its language. Other files are called texts too, and a hash may have a hyphen. */
export const FIRST_TEXTS_FILE = /\/texts-(en|de|es|zh)-[^/]+\.js$/;

/** Adds a page for each language, `index.de.html`, which has the browser load the first texts at once. The server chooses among them. */
export const firstTexts = (): Plugin => ({
  name: 'first-texts',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') return;
      for (const { fileName } of Object.values(bundle)) {
        const [, language] = FIRST_TEXTS_FILE.exec(fileName) ?? [];
        if (language === undefined) continue;
        const source = String(page.source)
          .replace('<html lang="en">', `<html lang="${language}">`)
          .replace(
            '</head>',
            `  <link rel="modulepreload" crossorigin href="/${fileName}" nonce="NONCE-OF-THIS-PAGE">\n  </head>`,
          );
        this.emitFile({ type: 'asset', fileName: `index.${language}.html`, source });
      }
    },
  },
});
