import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CAUSE_COLOURS } from '../../../packages/portal/src/parts/losses/cause-colours.ts';

const theme = readFileSync(
  new URL('../../../packages/portal/src/app/theme/theme.css', import.meta.url),
  'utf8',
);
/** The blocks of the theme that have colours of energies: one for light, one for dark. */
const schemes = theme.split('}').filter((block) => block.includes('--hp-production:'));

describe('the colours of losses', () => {
  test.each(['light', 'dark'])('differ from each other and from what was produced: %s', (name) => {
    const block = schemes[name === 'light' ? 0 : 1]!;
    const colours = ['--hp-production', ...Object.values(CAUSE_COLOURS)].map(
      (variable) => new RegExp(`${variable}: (#\\w+);`).exec(block)?.[1],
    );
    expect(colours).not.toContain(undefined);
    expect(new Set(colours).size).toBe(colours.length);
  });
});
