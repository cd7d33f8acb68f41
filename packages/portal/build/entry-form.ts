import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CSSModulesOptions } from 'vite';
import type { Language } from '../src/i18n/languages.ts';

/** The names that the build gives to the classes of our style sheets, by file and class. */
const classes = new Map<string, Readonly<Record<string, string>>>();

export const noteClasses: NonNullable<CSSModulesOptions['getJSON']> = (file, names) =>
  void classes.set(file, names);

function classOf(sheet: string, name: string): string {
  for (const [file, names] of classes)
    if (file.endsWith(`/src/${sheet}.module.css`) && names[name]) return names[name];
  throw new Error(`${sheet}.module.css has no .${name}`);
}

/** Vite has moved this module by the time it runs. */
async function textsIn(
  folder: string,
  language: Language,
): Promise<Readonly<Record<string, string>>> {
  const file = join(import.meta.dirname, `../src/${folder}/texts/${language}.ts`);
  return ((await import(pathToFileURL(file).href)) as { default: Readonly<Record<string, string>> })
    .default;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * The page to sign in with as it is before the app is there (session/sign-in-form.tsx, whose place it holds): it can be read and sent off at once. What
 * depends on the installation is marked for the server, which also puts in its token (edges/portal/entry-page.ts).
 */
export async function entryPage(page: string, language: Language): Promise<string> {
  const form = await entryForm(language);
  // It begins once the form has been drawn (public/entry.js), and is loaded behind what that needs.
  const app = /<script type="module" crossorigin src="([^"]+)"([^>]*)><\/script>/;
  return page
    .replace(
      app,
      '<link rel="modulepreload" crossorigin fetchpriority="low" href="$1"$2 data-app />',
    )
    .replace('<div id="root"></div>', () => `<div id="root">${form}</div>`);
}

async function entryForm(language: Language): Promise<string> {
  const [t, shell] = await Promise.all(
    ['session', 'app'].map((folder) => textsIn(folder, language)),
  );
  const s = (key: string): string => escaped(t![key]!);
  const c = classOf;
  const lines = [
    `<div class="${c('app/shell/shell', 'frame')}">`,
    `<header class="${c('app/shell/header', 'header')}"><div class="${c('app/shell/header', 'row')}">`,
    `<a class="${c('app/shell/header', 'brand')}" href="/" aria-label="${escaped(shell!['home']!)}">${SUN}<span>Helioport</span></a>`,
    `<span class="hp-entry-menu"></span>`,
    `</div></header>`,
    `<main class="${c('app/shell/shell', 'content')}"><div class="${c('session/entry-card', 'card')}">`,
    `<h1>${s('title')}</h1><p class="${c('session/entry-card', 'lead')}">${s('lead')}</p>`,
    `<form method="post" class="hp-entry ${c('session/sign-in-form', 'form')}"><input type="hidden" name="token" value="TOKEN-OF-THIS-PAGE" />`,
    `<!--if demo--><div class="${c('session/sign-in-form', 'demo')}">`,
    `<button name="demo" value="1" formnovalidate class="hp-entry-demo">${s('demo')}</button><p>${s('demoLead')}</p></div><!--/if-->`,
    `<div><label for="entry-email">${s('email')}</label>`,
    `<input id="entry-email" type="email" name="email" autocomplete="username" maxlength="254" required /></div>`,
    `<div><label for="entry-password">${s('password')}</label>`,
    `<input id="entry-password" type="password" name="password" autocomplete="current-password" maxlength="1024" required /></div>`,
    `<button type="submit">${s('submit')}</button>`,
    `<!--if mail--><a href="/reset">${s('forgotten')}</a><!--/if--><!--if signUp--><a href="/sign-up">${s('noAccount')}</a><!--/if-->`,
    ...['askForAccount', 'askForPassword', 'askForBoth'].map(
      (key) =>
        `<!--if ${key}--><p class="${c('session/sign-in-form', 'lead')}">${s(key)}</p><!--/if-->`,
    ),
    `</form></div></main></div><script src="/entry.js"></script>`,
  ];
  return lines.join('');
}

/** As in src/parts/icons.tsx. */
const SUN =
  '<svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true"><circle cx="12" cy="12" r="5" fill="#f2a900"/><path d="M12 1v4M12 19v4M1 12h4M19 12h4M4.2 4.2l2.9 2.9M16.9 16.9l2.9 2.9M4.2 19.8l2.9-2.9M16.9 7.1l2.9-2.9" stroke="#f2a900" stroke-width="2" stroke-linecap="round"/></svg>';
