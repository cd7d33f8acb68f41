import { useState } from 'react';

/** Whether the page was opened on a wide screen: there, what phones fold is open at first. */
export const useWide = (): boolean => useState(() => matchMedia('(min-width: 48em)').matches)[0];
