import { expect, test } from 'vitest';
import { adviceOf } from '../../packages/contract/src/alarm-words/advice.ts';
import { alarmWords as de } from '../../packages/contract/src/alarm-words/de.ts';
import { detailOf } from '../../packages/contract/src/alarm-words/detail.ts';
import { alarmWords as en, type AlarmWords } from '../../packages/contract/src/alarm-words/en.ts';
import { alarmWords as es } from '../../packages/contract/src/alarm-words/es.ts';
import { alarmWords as zh } from '../../packages/contract/src/alarm-words/zh.ts';
import { titleOf } from '../../packages/contract/src/alarm-words/title.ts';
import { adviceFor } from '../../packages/server/src/outbound/alarms/rules.ts';

type Words = Readonly<Record<string, AlarmWords>>;

test.each([
  [
    'en',
    en,
    'For your installer: ',
    /call (your|its) installer/,
    /fuse|voltage|cable|generator|fan\b|measure|signal/i,
  ],
  [
    'de',
    de,
    'Für Ihren Installateur: ',
    /rufen Sie (Ihren|den) Installateur/,
    /Sicherung|Spannung|Kabel|Generator|Lüfter\b|Netzwerk|messen/,
  ],
  [
    'es',
    es,
    'Para su instalador: ',
    /llame a su instalador/,
    /fusible|tensión|cable|generador|ventilador|señal|medir/i,
  ],
  ['zh', zh, '安装商：', /联系(其)?安装商/, /熔断器|电压|电缆|发电机|风扇|无线信号|测量/],
] as const)(
  'owners are to look and to call; cables, fuses and what is measured are left to the installer: %s',
  (_, words: Words, toInstaller, call, work) => {
    expect(Object.keys(words)).toHaveLength(9);
    for (const [code, { advice, adviceAtNothing }] of Object.entries(words))
      for (const text of [advice, ...(adviceAtNothing === undefined ? [] : [adviceAtNothing])]) {
        const [own, rest] = text.split(toInstaller);
        expect(own, code).toMatch(call);
        expect(own, code).not.toMatch(work);
        // Nobody works on a hot battery on advice.
        if (code !== 'H107') expect(rest, code).toMatch(work);
      }
  },
);

test.each([
  ['en', en, /your installer/i],
  ['de', de, /Ihren Installateur/],
  ['es', es, /su instalador/i],
  ['zh', zh, /安装商/],
] as const)(
  'an installer is told what to look at and to do, but not to call the installer: %s',
  (_, words: Words, installer) => {
    for (const [code, one] of Object.entries(words))
      for (const message of ['', 'string 2 delivers 0 % of what the others deliver']) {
        const [own, theirs] = [adviceOf(one, message), adviceOf(one, message, 'installer')];
        expect([own, theirs].join(' '), code).not.toMatch(/[[\]]/);
        expect(theirs, code).not.toMatch(installer);
        // Whole sentences, each with a beginning and an end.
        expect(theirs, code).toMatch(
          /^(\p{Lu}|\p{Lo})(?!.*[.;,。；]\s*[.;。；])(?!.*\. \p{Ll}).*[.。]$/u,
        );
        expect(theirs.length, code).toBeLessThan(own.length);
      }
  },
);

test('the service gives the same advice on the wire', () => {
  for (const [code, words] of Object.entries(en))
    expect(adviceFor(code, '')).toBe(adviceOf(words, ''));
});

// As the rules word them, which their own tests see to.
const MESSAGES = {
  H101: ['the device does not report'],
  H102: ['no production in daylight'],
  H103: ['string 2 delivers 40 % of what the other strings deliver', '<2>', '<40>'],
  H104: ['grid voltage of 262.1 V is out of range', '<262.1>'],
  H105: ['grid frequency of 51.30 Hz is out of range', '<51.3>'],
  H106: ['the temperature of 85.2 °C is too high', '<85.2>'],
  H107: ['the battery temperature of 61.0 °C is too high', '<61>'],
  H108: ['35 % of the readings of the last two hours arrived', '<35>'],
  H109: ['the device keeps reporting identical values'],
} as const;

test.each([en, de, es, zh] as readonly Words[])(
  'what was measured is worded in each language, with its figures, where the title does not say it all',
  (words) => {
    for (const [code, [message, ...figures]] of Object.entries(MESSAGES)) {
      const detail = detailOf(words[code]!, message, (figure) => `<${figure}>`);
      const worded = [titleOf(words[code]!, message, (figure) => `<${figure}>`), detail].join(' ');
      if (figures.length === 0) expect(detail, code).toBe(undefined);
      for (const figure of figures) expect(worded, code).toContain(figure);
      expect(detailOf(words[code]!, 'something else', String), code).toBe(undefined);
      expect(titleOf(words[code]!, 'something else', String), code).toBe(words[code]!.title);
    }
    const [nothing, ten] = [0, 10].map((share) =>
      titleOf(
        words['H103']!,
        `string 12 delivers ${share} % of what the other strings deliver`,
        String,
      ),
    );
    expect(nothing).toMatch(/12/);
    expect(nothing).not.toMatch(/\b0\b|%/);
    expect(ten).toMatch(/12.*10.%/);
  },
);
