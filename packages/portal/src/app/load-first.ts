import { initialLanguage } from '../i18n/languages.ts';
import { texts as ofParts } from '../parts/texts/index.ts';
import { texts as ofOverview } from '../screens/overview/texts/index.ts';
import { texts as ofSession } from '../session/texts/index.ts';
import { sessionOfPage } from '../wire/session.ts';
import { texts as ofWire } from '../wire/texts/index.ts';
import { router } from './router.tsx';
import { texts as ofApp } from './texts/index.ts';

/** Loads the texts and the screen that are shown first, as far as they can be had. */
export async function loadFirst(): Promise<void> {
  const language = sessionOfPage()?.account?.language ?? initialLanguage();
  document.documentElement.lang = language;
  await Promise.allSettled([
    ...[ofApp, ofSession, ofParts, ofOverview, ofWire].map(({ load }) => load(language)),
    router.load(),
  ]);
}
