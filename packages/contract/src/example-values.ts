import {
  EXAMPLE_INVITATION_ID,
  exampleAlarm,
  exampleAmmeter,
  exampleCollector,
  exampleEpm,
  exampleInverter,
  examplePlant,
  exampleWeather,
} from './examples.ts';

/** What the examples' requests name that no other installation has, by what it is. */
export const exampleValues = {
  plantId: examplePlant.id,
  inverterSn: exampleInverter.sn,
  collectorSn: exampleCollector.sn,
  epmSn: exampleEpm.sn,
  weatherSn: exampleWeather.sn,
  ammeterSn: exampleAmmeter.sn,
  alarmId: exampleAlarm.id,
  invitationId: EXAMPLE_INVITATION_ID,
} as const;

/** The days of the examples' requests: valid anywhere, though few plants have figures of them. */
export const exampleDays = { firstDay: '2026-11-01', day: '2026-11-06', month: '2026-11', year: '2026' } as const;
