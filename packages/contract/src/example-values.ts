import {
  EXAMPLE_COMMAND_ID,
  EXAMPLE_DESTINATION_ID,
  EXAMPLE_EMAIL,
  EXAMPLE_INVITATION_ID,
  EXAMPLE_ORDER_ID,
  EXAMPLE_PASSWORD_DIGEST,
  EXAMPLE_STRATEGY_ID,
  exampleAlarm,
  exampleAmmeter,
  exampleCollector,
  exampleEpm,
  exampleInverter,
  examplePlant,
  exampleWeather,
} from './examples.ts';

/** Made-up values in the examples' requests, by their meaning; in another installation they have to be replaced. */
export const exampleValues = {
  plantId: examplePlant.id,
  inverterSn: exampleInverter.sn,
  collectorSn: exampleCollector.sn,
  epmSn: exampleEpm.sn,
  weatherSn: exampleWeather.sn,
  ammeterSn: exampleAmmeter.sn,
  alarmId: exampleAlarm.id,
  invitationId: EXAMPLE_INVITATION_ID,
  commandId: EXAMPLE_COMMAND_ID,
  destinationId: EXAMPLE_DESTINATION_ID,
  orderId: EXAMPLE_ORDER_ID,
  strategyId: EXAMPLE_STRATEGY_ID,
  email: EXAMPLE_EMAIL,
  passwordDigest: EXAMPLE_PASSWORD_DIGEST,
} as const;

/** Dates in the examples' requests: valid everywhere, though few plants have figures for them. */
export const exampleDays = {
  firstDay: '2026-11-01',
  day: '2026-11-06',
  month: '2026-11',
  year: '2026',
} as const;
