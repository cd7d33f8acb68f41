import { defineConfig } from 'vitest/config';
import { proving } from './test/support/effort.ts';
import { AT_FULL_COUNT, ON_ONE_ENGINE, WITH_PROGRAMS_OF_THEIR_OWN } from './test/tiers.ts';
import { shared } from './vitest.config.ts';

const alsoProved = proving ? [...Object.values(ON_ONE_ENGINE).flat(), ...AT_FULL_COUNT] : [];

/** npm run prove: the long proofs, and unless they are brief what a commit leaves out. */
export default defineConfig({
  test: {
    ...shared,
    exclude: proving ? [] : [`test/${WITH_PROGRAMS_OF_THEIR_OWN}`],
    include: ['test/prove/**/*.prove.ts', ...alsoProved.map((path) => `test/${path}`)],
  },
});
