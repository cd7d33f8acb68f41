// Our own records: what handlers return. Each is declared once; its type, its schema and an example follow from the declaration. Times are epoch ms,
// units are in the names, signs are those of quantities.ts. Unknown values are undefined or null; answers leave them out.

export * from './alarms.ts';
export * from './charts.ts';
export * from './commands.ts';
export * from './devices.ts';
export * from './energies.ts';
export * from './lists.ts';
export * from './plants.ts';
