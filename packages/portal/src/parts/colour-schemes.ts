import type { MantineColorScheme } from '@mantine/core';

/** How the portal can look. */
export const COLOUR_SCHEMES = [
  'auto',
  'light',
  'dark',
] as const satisfies readonly MantineColorScheme[];
