/**
 * The flags with which Node runs the server; the first line of helioport.mjs repeats them. By default, V8 lets the young
 * generation grow to 64 MiB under load and never shrinks it: memory that no request needs.
 */
export const NODE_FLAGS = ['--max-semi-space-size=8'];
