/** The lines of a meter with three phases: 2.345 kW are sold, and 7 W more than nothing flow in phase 3. */
export const P1_LINES: readonly string[] = [
  '1-3:0.2.8(50)',
  '0-0:1.0.0(261128083015W)',
  '0-0:96.1.1(4B384547303034303436333935353037)',
  '1-0:1.8.1(001234.567*kWh)',
  '1-0:1.8.2(000089.433*kWh)',
  '1-0:2.8.1(004321.001*kWh)',
  '1-0:2.8.2(000000.002*kWh)',
  '0-0:96.14.0(0002)',
  '1-0:1.7.0(00.000*kW)',
  '1-0:2.7.0(02.345*kW)',
  '0-0:96.7.21(00004)',
  '1-0:99.97.0(1)(0-0:96.7.19)(101208152415W)(0000000240*s)',
  '1-0:32.32.0(00002)',
  '0-0:96.13.0(303132333435363738)',
  '1-0:32.7.0(230.1*V)',
  '1-0:52.7.0(231.2*V)',
  '1-0:72.7.0(229.3*V)',
  '1-0:31.7.0(005*A)',
  '1-0:51.7.0(005*A)',
  '1-0:71.7.0(000*A)',
  '1-0:21.7.0(00.000*kW)',
  '1-0:41.7.0(00.000*kW)',
  '1-0:61.7.0(00.007*kW)',
  '1-0:22.7.0(01.176*kW)',
  '1-0:42.7.0(01.176*kW)',
  '1-0:62.7.0(00.000*kW)',
  // Gas, of which nothing is taken.
  '0-1:24.1.0(003)',
  '0-1:96.1.0(3232323241424344313233343536373839)',
  '0-1:24.2.1(261128080000W)(12785.123*m3)',
];

/** What the lines mean, in the signs of the product. */
export const P1_VALUES = {
  gridPowerW: 2345,
  gridImportTotalKwh: 1324,
  gridExportTotalKwh: 4321.003,
  acVoltage1V: 230.1,
  acVoltage2V: 231.2,
  acVoltage3V: 229.3,
  acCurrent1A: 5,
  acCurrent2A: 5,
  acCurrent3A: 0,
  acPower1W: 1176,
  acPower2W: 1176,
  acPower3W: -7,
};
export const P1_SN = 'K8EG004046395507';

const withEnds = (lines: readonly string[]): string =>
  `/ISK5\\2M550E-1012\r\n\r\n${lines.join('\r\n')}\r\n!`;

/** A telegram with its checksum: polynomial x^16 + x^15 + x^2 + 1, the lowest bit first. */
export function p1Telegram(lines: readonly string[] = P1_LINES): Buffer {
  const text = withEnds(lines);
  let crc = 0;
  for (const byte of Buffer.from(text, 'latin1'))
    for (let bit = 0; bit < 8; bit++) {
      const isSet = ((crc ^ (byte >> bit)) & 1) === 1;
      crc = (crc >> 1) ^ (isSet ? 0xa001 : 0);
    }
  const checksum = crc.toString(16).toUpperCase().padStart(4, '0');
  return Buffer.from(`${text}${checksum}\r\n`, 'latin1');
}

/** A telegram of the versions before 4, which has no checksum. */
export const uncheckedTelegram = (lines: readonly string[]): Buffer =>
  Buffer.from(`${withEnds(lines)}\r\n`, 'latin1');
