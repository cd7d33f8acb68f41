/**
 * Loads code that needs a package which npm installs only on request.
 * @param wanted name and major version of the package, as `npm install` reads them
 * @throws Error that says how to install the package, if it is missing
 */
export async function withPackage<T>(wanted: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const name = wanted.slice(0, wanted.lastIndexOf('@'));
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw cause;
    throw new Error(`the package ${name} is missing: run npm install ${wanted}`, { cause });
  }
}
