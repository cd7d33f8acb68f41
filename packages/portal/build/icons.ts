import type { Plugin } from 'vite';
import { png } from './png.ts';
import { sunPicture } from './sun-picture.ts';

/** The sizes that browsers ask for: on a home screen of iOS, of Android, and on its splash screen. */
const SIZES = [180, 192, 512] as const;

/** Adds the icons of the installed app, drawn from the sun mark. */
export const icons = (): Plugin => ({
  name: 'icons',
  generateBundle() {
    for (const size of SIZES)
      this.emitFile({
        type: 'asset',
        fileName: `icons/sun-${size}.png`,
        source: png(size, sunPicture(size)),
      });
  },
});
