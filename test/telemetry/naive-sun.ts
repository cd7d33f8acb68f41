const DEGREES = 180 / Math.PI;
const MINUTE_MS = 60_000;
/** Tilts of modules that face the equator, degrees. */
const TILTS = [0, 30, 60, 90];

/**
 * Full-load hours of modules on a cloudless day of UTC (yyyy-mm-dd), of the tilt that suits the day best: Haurwitz' clear sky as a beam, in
 * steps of a minute, by the angles of the sun alone.
 */
export function clearSkyHours(
  { latitude, longitude }: { latitude: number; longitude: number },
  day: string,
): number {
  const startAt = Date.parse(`${day}T00:00:00Z`);
  const dayOfYear = (startAt - Date.parse(`${day.slice(0, 4)}-01-01T00:00:00Z`)) / 86_400_000;
  const declination = (-23.44 / DEGREES) * Math.cos((2 * Math.PI * (dayOfYear + 10)) / 365.25);
  const hours = TILTS.map(() => 0);
  for (let minute = 0.5; minute < 1440; minute++) {
    const hourAngle = (minute / 4 + longitude - 180) / DEGREES;
    const height = heightAt(latitude, declination, hourAngle);
    if (height <= 0) continue;
    const beamKw = 1.098 * Math.exp(-0.059 / height);
    for (const [i, tilt] of TILTS.entries()) {
      // A plane that leans towards the equator lies as a flat one nearer to it.
      const lean = latitude < 0 ? latitude + tilt : latitude - tilt;
      hours[i]! +=
        (beamKw * Math.max(0, heightAt(lean, declination, hourAngle)) * MINUTE_MS) / 3_600_000;
    }
  }
  return Math.max(...hours);
}

/** Sine of the sun's height. */
const heightAt = (latitude: number, declination: number, hourAngle: number): number =>
  Math.sin(latitude / DEGREES) * Math.sin(declination) +
  Math.cos(latitude / DEGREES) * Math.cos(declination) * Math.cos(hourAngle);
