/**
 * How a plant is connected, and the likely cause if its figures are not those of this moment. `live`: they are. `resting`: its devices sleep until
 * there is sun. `catchingUp`: readings of the past are arriving. The others are faults.
 */
export const plantConnections = [
  'live',
  'resting',
  'catchingUp',
  'collectorSilent',
  'devicesSilent',
  'collectorWaiting',
  'noCollector',
  'noDevices',
] as const;
export type PlantConnection = (typeof plantConnections)[number];

/** Whether somebody has to do something before the plant reports; a plant without devices is still being built. */
export const isDisconnected = (connection: PlantConnection): boolean =>
  connection === 'collectorSilent' ||
  connection === 'devicesSilent' ||
  connection === 'collectorWaiting' ||
  connection === 'noCollector';

/** The connections in words, for the reference. */
export const CONNECTIONS_IN_WORDS =
  'live, resting (asleep until there is sun), catchingUp (readings of the past are arriving), collectorSilent, devicesSilent (the collector reports, its devices do not), collectorWaiting (its collector has never reported), noCollector or noDevices';
