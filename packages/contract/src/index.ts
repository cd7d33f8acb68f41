export * from './envelope.ts';
export * from './errors.ts';
export * from './json-schema.ts';
export * from './operation.ts';
export * from './parameters.ts';
export * from './quantities.ts';
export * from './signature.ts';
