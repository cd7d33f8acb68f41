import { defineConfig } from 'vitest/config';
import { proving } from './test/support/effort.ts';
import { AT_FULL_COUNT, BESIDE_PROOFS, NOT_BRIEFLY, ON_ONE_ENGINE } from './test/tiers.ts';
import { shared } from './vitest.config.ts';

const leftOut = proving ? [...Object.values(ON_ONE_ENGINE).flat(), ...AT_FULL_COUNT] : [];
const alsoProved = [...leftOut, ...Object.values(BESIDE_PROOFS).flat()];

/** npm run prove: the long proofs, and unless they are brief what a commit leaves out. */
export default defineConfig({
  test: {
    ...shared,
    exclude: proving ? [] : NOT_BRIEFLY.map((path) => `test/${path}`),
    include: ['test/prove/**/*.prove.ts', ...alsoProved.map((path) => `test/${path}`)],
  },
});
