/**
 * Loads code that needs a package which npm installs only on request.
 * @param spec name and major version of the package, as `npm install` reads them
 * @throws Error that says how to install the package, if it is missing
 */
export async function withPackage<T>(spec: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const name = spec.slice(0, spec.lastIndexOf('@'));
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw cause;
    throw new Error(`the package ${name} is missing: run npm install ${spec}`, { cause });
  }
}
