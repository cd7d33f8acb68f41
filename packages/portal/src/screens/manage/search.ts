/** What the address of a plant's settings says: the device that is looked for, or that one is to be bound. */
export interface SettingsSearch {
  readonly device?: string | undefined;
  readonly bind?: boolean | undefined;
}

/** Reads an address; what makes no sense there is left out. */
export const settingsSearch = ({
  device,
  bind,
}: Readonly<Record<string, unknown>>): SettingsSearch => ({
  // A serial number of digits comes as a number.
  ...((typeof device === 'string' || typeof device === 'number') && {
    device: String(device).slice(0, 64),
  }),
  ...(bind === true && { bind }),
});
