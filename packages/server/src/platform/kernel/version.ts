/** The version of all packages; a test keeps it equal to their package.json. */
export const VERSION = '0.1.0';
