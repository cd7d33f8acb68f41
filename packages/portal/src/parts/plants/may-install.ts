import type { WireData } from '@helioport/contract';

/** Whether the reader may replace, correct and bind the devices of a plant. */
export const mayInstall = (level: WireData<'plant/show'>['level'] | undefined): boolean =>
  level === 'owner' || level === 'install';
