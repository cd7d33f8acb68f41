import type { PlantSpecification } from '@helioport/simulator';
import type { Tariff, TariffUse } from '../../../fleet/plants/tariffs/tariffs.ts';

/** A plant of the demo: as its owner describes it, and as the simulator runs it. */
export interface FleetPlant {
  readonly name: string;
  readonly address: string;
  readonly currency: string;
  /** A tariff for every kWh produced, of plants that sell all of it or have no meter. */
  readonly pricePerKwh?: number;
  /** Prices of the energy bought and sold, valid for all time. */
  readonly tariffs?: { readonly [U in TariffUse]?: Tariff };
  readonly nmiCode: string | null;
  readonly collectorSn: string;
  /** Whether its collector uses MQTT rather than HTTP. */
  readonly overMqtt: boolean;
  /** Whether the demo's installer gets a share of it. */
  readonly sharedWithInstaller: boolean;
  readonly models: Readonly<Record<string, string>>;
  readonly specification: PlantSpecification;
  /** A limit of an inverter that somebody set, % of its rated power, and forgot. */
  readonly forgottenLimit?: { readonly sn: string; readonly percent: number; readonly day: number };
  /** Its scenarios, whose times count from the start of the history. */
  readonly scenarios?: readonly string[];
}

/** Houses and a farm on four continents, each with a feature that the others lack. */
export const fleet: readonly FleetPlant[] = [
  {
    name: 'House in Berlin',
    address: 'Schönhauser Allee, Berlin, Germany',
    currency: 'EUR',
    tariffs: {
      import: { pricePerKwh: 0.34, windows: [{ start: '22:00', end: '06:00', pricePerKwh: 0.27 }] },
      export: { pricePerKwh: 0.08 },
    },
    nmiCode: null,
    collectorSn: 'HC260100001',
    overMqtt: true,
    sharedWithInstaller: false,
    models: { HS260100001: 'HS-8K-ES', HM260100001: 'HM-3P', HW260100001: 'HW-1' },
    specification: {
      seed: 101,
      place: { latitude: 52.54, longitude: 13.41 },
      timeZone: 'Europe/Berlin',
      gridFrequencyHz: 50,
      gridVoltageV: 230,
      load: { baseW: 260, morningPeakW: 1100, eveningPeakW: 2100 },
      inverters: [
        {
          sn: 'HS260100001',
          ratedPowerW: 8000,
          phases: 3,
          startTotalKwh: 18_402.7,
          strings: [
            { kwp: 5.2, tilt: 35, azimuth: 95, modulesInSeries: 12 },
            { kwp: 5.2, tilt: 35, azimuth: 275, modulesInSeries: 12 },
          ],
          battery: { capacityKwh: 10.2, maxPowerW: 5000, reservePercent: 10 },
        },
      ],
      meterSn: 'HM260100001',
      weatherStationSn: 'HW260100001',
    },
  },
  {
    name: 'Farm in Colorado',
    address: 'Weld County, Colorado, United States',
    currency: 'USD',
    tariffs: { import: { pricePerKwh: 0.13 }, export: { pricePerKwh: 0.04 } },
    nmiCode: null,
    collectorSn: 'HC260100002',
    overMqtt: false,
    sharedWithInstaller: true,
    models: {
      HI260100002: 'HI-10K',
      HI260100003: 'HI-10K',
      HM260100002: 'HM-3P',
      HW260100002: 'HW-1',
    },
    specification: {
      seed: 202,
      place: { latitude: 40.42, longitude: -104.71 },
      timeZone: 'America/Denver',
      gridFrequencyHz: 60,
      gridVoltageV: 240,
      load: { baseW: 1800, morningPeakW: 2400, eveningPeakW: 2600 },
      inverters: ['HI260100002', 'HI260100003'].map((sn, i) => ({
        sn,
        ratedPowerW: 10_000,
        phases: 3 as const,
        startTotalKwh: 41_230 - 380 * i,
        strings: [
          { kwp: 6.6, tilt: 25, azimuth: 180, modulesInSeries: 16 },
          { kwp: 6.6, tilt: 25, azimuth: 180, modulesInSeries: 16 },
        ],
      })),
      meterSn: 'HM260100002',
      weatherStationSn: 'HW260100002',
    },
    forgottenLimit: { sn: 'HI260100002', percent: 30, day: 18 },
    // It shows on the last day of the history and, from February to October, as an open alarm.
    scenarios: ['string-failure sn=HI260100003 string=2 after=29d'],
  },
  {
    name: 'Tea house in Kathmandu',
    address: 'Boudha, Kathmandu, Nepal',
    currency: 'NPR',
    pricePerKwh: 7.3,
    nmiCode: null,
    collectorSn: 'HC260100003',
    overMqtt: true,
    sharedWithInstaller: false,
    models: { HI260100004: 'HI-5K', HW260100003: 'HW-1' },
    specification: {
      seed: 303,
      place: { latitude: 27.72, longitude: 85.36 },
      timeZone: 'Asia/Kathmandu',
      gridFrequencyHz: 50,
      gridVoltageV: 230,
      load: { baseW: 400, morningPeakW: 900, eveningPeakW: 1200 },
      inverters: [
        {
          sn: 'HI260100004',
          ratedPowerW: 5000,
          phases: 1,
          startTotalKwh: 6120.4,
          strings: [
            { kwp: 2.75, tilt: 20, azimuth: 170, modulesInSeries: 7 },
            { kwp: 2.75, tilt: 20, azimuth: 170, modulesInSeries: 7 },
          ],
        },
      ],
      weatherStationSn: 'HW260100003',
    },
    // An alarm that has ended, and one that is open: so far south, strings can be compared all year. The one that has ended began so early that the
    // reference's example, which ends with yesterday (UTC), lists it at any hour of the day.
    scenarios: [
      'grid-outage after=27d for=40m',
      'string-failure sn=HI260100004 string=2 after=25d',
    ],
  },
  {
    name: 'House in Sydney',
    address: 'Marrickville, Sydney, Australia',
    currency: 'AUD',
    tariffs: { import: { pricePerKwh: 0.32 }, export: { pricePerKwh: 0.06 } },
    nmiCode: '41030000000',
    collectorSn: 'HC260100004',
    overMqtt: false,
    sharedWithInstaller: false,
    models: { HS260100005: 'HS-5K-ES', HI260100005: 'HI-5K', HW260100004: 'HW-1' },
    specification: {
      seed: 404,
      place: { latitude: -33.91, longitude: 151.15 },
      timeZone: 'Australia/Sydney',
      gridFrequencyHz: 50,
      gridVoltageV: 235,
      load: { baseW: 320, morningPeakW: 1300, eveningPeakW: 2700 },
      // The clocks of its devices were never set to local time.
      counterMidnight: 'utc',
      inverters: [
        {
          sn: 'HS260100005',
          ratedPowerW: 5000,
          phases: 1,
          startTotalKwh: 9870.1,
          strings: [{ kwp: 6.1, tilt: 22, azimuth: 10, modulesInSeries: 14 }],
          battery: { capacityKwh: 13.5, maxPowerW: 4600, reservePercent: 15 },
        },
        {
          sn: 'HI260100005',
          ratedPowerW: 5000,
          phases: 1,
          startTotalKwh: 15_011.9,
          strings: [{ kwp: 6.4, tilt: 22, azimuth: 280, modulesInSeries: 14 }],
        },
      ],
      weatherStationSn: 'HW260100004',
    },
    scenarios: ['inverter-failure sn=HI260100005 after=22d'],
  },
];

interface FleetApplication {
  readonly name: string;
  readonly purpose: string;
  readonly redirectUri: string;
  /** The collectors of the plants that it sees. */
  readonly collectors: readonly string[];
  /** Inverters with a battery. The first one follows a strategy; the other one is left to people who try strategies. */
  readonly batteries: readonly [string, string];
}

/** The application that the demo's owner lets control the batteries. */
export const application: FleetApplication = {
  name: 'Evening Shift',
  purpose: 'Charges batteries with the cheap energy of the night, and uses it in the evening.',
  redirectUri: 'https://evening-shift.example/callback',
  collectors: ['HC260100001', 'HC260100004'],
  batteries: ['HS260100005', 'HS260100001'],
};
