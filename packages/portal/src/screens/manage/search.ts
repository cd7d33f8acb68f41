/** What the address of a plant's settings says: the device that is looked for. */
export interface SettingsSearch {
  readonly device?: string | undefined;
}

/** Reads an address; what makes no sense there is left out. */
export const settingsSearch = ({ device }: Readonly<Record<string, unknown>>): SettingsSearch =>
  // A serial number of digits comes as a number.
  typeof device === 'string' || typeof device === 'number' ? { device: String(device).slice(0, 64) } : {};
