/** What somebody may have, in the order in which it is offered. */
export const FAMILIES = ['solis', 'deye', 'sofar', 'sunspec', 'meter', 'own'] as const;
export type ConnectFamily = (typeof FAMILIES)[number];

/** What the address of the page says: what somebody has. */
export interface ConnectSearch {
  readonly have?: ConnectFamily | undefined;
}

/** Reads an address; what makes no sense there is left out. */
export const connectSearch = ({ have }: Readonly<Record<string, unknown>>): ConnectSearch => {
  const family = FAMILIES.find((one) => one === have);
  return family === undefined ? {} : { have: family };
};

/** Addresses of devices as the on-site collector takes them, the likeliest first. They are examples, and the same in all languages. */
const ADDRESSES: Readonly<Record<Exclude<ConnectFamily, 'own'>, readonly string[]>> = {
  solis: ['192.168.1.40', 'serial:/dev/ttyUSB0?baud=9600'],
  deye: ['192.168.1.40', 'serial:/dev/ttyUSB0?baud=9600'],
  sofar: ['192.168.1.40', 'serial:/dev/ttyUSB0?baud=9600'],
  sunspec: ['tcp://192.168.1.40:502'],
  meter: ['tcp://192.168.1.40:502', 'shelly://192.168.1.40', 'p1:/dev/ttyUSB0', 'sml:/dev/ttyUSB0'],
};

/** What is written beside the lines of the file. */
export interface FileWords {
  readonly address: string;
  readonly others: string;
  readonly control: string;
}

/** The file of the on-site collector for a family of devices. */
export function collectFile(
  family: Exclude<ConnectFamily, 'own'>,
  gateway: string,
  words: FileWords,
): string {
  const [first, ...others] = ADDRESSES[family];
  return [
    `gateway: ${gateway}`,
    'token-file: token',
    'devices:',
    `  # ${words.address}`,
    `  - address: ${first}`,
    ...(family === 'meter' ? [] : [`    # ${words.control}`, '    # control: true']),
    ...(others.length === 0
      ? []
      : [`  # ${words.others}`, ...others.map((address) => `  # - address: ${address}`)]),
    '',
  ].join('\n');
}
