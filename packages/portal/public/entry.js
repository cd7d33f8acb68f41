// On the page to sign in, before the app is there: it looks as was chosen on this device (Mantine's key), and the app begins once the form has been drawn.
{
  const root = document.documentElement;
  const stored = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const look = stored('mantine-color-scheme-value');
  const language = stored('helioport-language');
  // Somebody who has chosen another language (i18n/languages.ts) is not shown this one first.
  const isShown = language === null || language === root.lang;
  if (!isShown) document.querySelector('#root').replaceChildren();
  const isDark =
    look === 'dark' || (look !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.mantineColorScheme = isDark ? 'dark' : 'light';

  const begin = () => import(document.querySelector('link[data-app]').href);
  // Pages in the background are not drawn.
  if (!isShown || document.hidden) void begin();
  else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(begin)));
}
