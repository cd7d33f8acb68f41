import { readFileSync } from 'node:fs';
import { readScenario, scenarioKinds } from '@helioport/simulator';
import { describe, expect, test } from 'vitest';

const startAt = Date.parse('2026-06-15T12:00:00Z');

describe('a scenario', () => {
  test.each([
    ['grid-outage', { kind: 'grid-outage', fromAt: startAt, untilAt: Infinity }],
    [
      'grid-outage after=10m for=1h',
      { kind: 'grid-outage', fromAt: startAt + 600_000, untilAt: startAt + 4_200_000 },
    ],
    [
      '  cloud-front   percent=12.5 for=30s ',
      { kind: 'cloud-front', percent: 12.5, fromAt: startAt, untilAt: startAt + 30_000 },
    ],
    [
      'string-failure sn=A string=3 after=2d',
      {
        kind: 'string-failure',
        sn: 'A',
        string: 3,
        fromAt: startAt + 172_800_000,
        untilAt: Infinity,
      },
    ],
    [
      'clock-drift seconds=-90',
      { kind: 'clock-drift', seconds: -90, fromAt: startAt, untilAt: Infinity },
    ],
    [
      { kind: 'cleared-bit', parameter: 636, bit: 0 },
      { kind: 'cleared-bit', parameter: '636', bit: 0, fromAt: startAt, untilAt: Infinity },
    ],
    [
      { kind: 'link-loss', at: '2026-06-15T14:30:00+02:00', for: '1m' },
      { kind: 'link-loss', fromAt: startAt + 1_800_000, untilAt: startAt + 1_860_000 },
    ],
  ])('reads %j', (given, scenario) => {
    expect(readScenario(given, startAt)).toEqual(scenario);
  });

  test.each([
    ['', 'a scenario is one of cloud-front, '],
    ['flood', 'not "flood"'],
    ['toString', 'not "toString"'],
    [null, 'a scenario is an object, or text'],
    [['grid-outage'], 'a scenario is an object, or text'],
    ['grid-outage for', 'written name=value, unlike for'],
    ['grid-outage for=1=2', 'written name=value, unlike for=1=2'],
    ['grid-outage for=soon', 'for must be a duration such as 30s'],
    ['grid-outage after=1h at=2026-06-15T12:00:00Z', 'give after or at, not both'],
    ['grid-outage at=tomorrow', 'at must be an instant'],
    ['grid-outage at=2026-99-99T00:00:00Z', 'at must be an instant'],
    ['grid-outage percent=3', 'takes after, at, for, not percent'],
    ['cloud-front percent=101', 'percent must be a number from 0 to 100'],
    ['cloud-front percent=', 'percent must be a number from 0 to 100'],
    ['string-failure string=1.5', 'string must be the number of a string'],
    ['cleared-bit bit=16', 'bit must be the number of a bit'],
    ['cleared-bit parameter=x', 'parameter must be the number of a parameter'],
    ['slow-collector', 'needs seconds'],
    [{ kind: 'string-failure', sn: 7 }, 'sn must be a serial number'],
  ])('refuses %j', (given, message) => {
    expect(() => readScenario(given, startAt)).toThrow(message);
  });

  test('of every kind is on the page, with its options, and no other is', () => {
    const page = readFileSync(new URL('../../docs/simulator.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (.+?) \| (.*?) \|$/gm)].map(
      ([, kind, does, takes]) => [kind, does, takes],
    );
    const words = (takes: readonly string[]): string =>
      takes.map((name) => `\`${name}\``).join(', ');
    expect(rows).toEqual(
      Object.entries(scenarioKinds).map(([kind, { does, takes }]) => [kind, does, words(takes)]),
    );
  });
});
