import type { MantineColorScheme } from '@mantine/core';

/** How the portal can look. */
export const LOOKS = ['auto', 'light', 'dark'] as const satisfies readonly MantineColorScheme[];
