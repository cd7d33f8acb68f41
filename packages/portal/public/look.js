// Light or dark before anything is drawn: what was chosen on this device (kept by Mantine), else what the device prefers.
{
  let look = null;
  try {
    look = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Browsers may be set to keep nothing.
  }
  if (look !== 'light' && look !== 'dark')
    look = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.mantineColorScheme = look;
}
