/** What may have been typed after `helioport`, and what completes the last word, with a file `backup-1` in the folder. */
export const TRIES: readonly (readonly [typed: readonly string[], offered: readonly string[]])[] = [
  [['pl'], ['plant']],
  [
    ['plant', 'tariff', ''],
    ['set', 'list', 'remove'],
  ],
  [['plant', 'add', '--o'], ['--owner']],
  [
    ['--config', 'plant', 'device', 'add', '--kind', ''],
    ['inverter', 'epm', 'weather', 'ammeter'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['restore', 'back'], ['backup-1']],
  [['user', 'add', '--json', '--role', 'op'], ['operator']],
];
