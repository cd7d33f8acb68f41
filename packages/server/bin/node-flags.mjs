/**
 * What Node is started with to run the server; the first line of helioport.mjs says the same. Left alone, V8 lets the young
 * generation grow to 64 MiB under load and keeps it: memory that no request needs.
 */
export const NODE_FLAGS = ['--max-semi-space-size=8'];
