import { readFileSync } from 'node:fs';
import type { Credentials } from '../../sources/source.ts';
import type { DeviceEntry } from './site-config.ts';

/** The usual name of the only user of a device. */
const USER = 'admin';

/** Who asks, with the password in a file, which is read when it is needed. */
export const credentialsIn = (
  passwordFile: string,
  {
    user = USER,
    isReadable = false,
  }: { readonly user?: string; readonly isReadable?: boolean } = {},
): Credentials => ({
  user,
  isReadable,
  password() {
    try {
      return readFileSync(passwordFile, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new Error(`the password in ${passwordFile} cannot be read: ${code}`, { cause: error });
    }
  },
});

export const credentialsOf = ({
  user,
  passwordFile,
  isPasswordReadable: isReadable = false,
}: DeviceEntry): Credentials | undefined =>
  passwordFile === undefined
    ? undefined
    : credentialsIn(passwordFile, { ...(user !== undefined && { user }), isReadable });
