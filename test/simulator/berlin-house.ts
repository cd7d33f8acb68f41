import type { PlantSpecification } from '@helioport/simulator';

/** A house with a storage inverter, a meter at the grid and a weather station. */
export const berlinHouse = {
  seed: 7,
  place: { latitude: 52.52, longitude: 13.4 },
  timeZone: 'Europe/Berlin',
  gridFrequencyHz: 50,
  gridVoltageV: 230,
  load: { baseW: 250, morningPeakW: 1200, eveningPeakW: 2200 },
  meterSn: 'METER1',
  weatherStationSn: 'WEATHER1',
  inverters: [
    {
      sn: 'STORAGE1',
      ratedPowerW: 8000,
      phases: 3,
      startTotalKwh: 12345.6,
      strings: [
        { kwp: 5, tilt: 30, azimuth: 180, modulesInSeries: 12 },
        { kwp: 5, tilt: 30, azimuth: 90, modulesInSeries: 12 },
      ],
      battery: { capacityKwh: 10, maxPowerW: 5000, reservePercent: 10 },
    },
    {
      sn: 'STRING1',
      ratedPowerW: 3000,
      phases: 1,
      startTotalKwh: 800,
      strings: [{ kwp: 5, tilt: 20, azimuth: 200, modulesInSeries: 12 }],
    },
  ],
} as const satisfies PlantSpecification;
