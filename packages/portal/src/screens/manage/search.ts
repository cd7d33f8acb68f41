/** What the address of a plant's settings says: the device that is looked for, that one is to be bound, or somebody to be invited. */
export interface SettingsSearch {
  readonly device?: string | undefined;
  readonly bind?: boolean | undefined;
  readonly invite?: boolean | undefined;
}

/** Reads an address; what makes no sense there is left out. */
export const settingsSearch = ({ device, bind, invite }: Readonly<Record<string, unknown>>): SettingsSearch => ({
  // A serial number of digits comes as a number.
  ...((typeof device === 'string' || typeof device === 'number') && { device: String(device).slice(0, 64) }),
  ...(bind === true && { bind }),
  ...(invite === true && { invite }),
});
