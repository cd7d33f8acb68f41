import type { SunObserver } from '../../fleet/devices/sun.ts';

/** A square of 0.1 degrees, by its middle in tenths of a degree: neighbours share it, and nobody outside learns of a roof. */
export interface WeatherCell {
  readonly latitude: number;
  readonly longitude: number;
}

export const cellOf = ({ latitude, longitude }: SunObserver): WeatherCell => ({
  latitude: Math.round(latitude * 10),
  longitude: Math.round(longitude * 10),
});

/** The address that answers for a square and a span of days (yyyy-mm-dd). */
export const weatherAddress = (
  template: string,
  { latitude, longitude }: WeatherCell,
  from: string,
  to: string,
): string =>
  template
    .replaceAll('{latitude}', (latitude / 10).toFixed(1))
    .replaceAll('{longitude}', (longitude / 10).toFixed(1))
    .replaceAll('{from}', from)
    .replaceAll('{to}', to);
