import { expect, test } from 'vitest';
import { alarmWords as de } from '../../packages/contract/src/alarm-words/de.ts';
import { alarmWords as en, type AlarmWords } from '../../packages/contract/src/alarm-words/en.ts';
import { alarmWords as es } from '../../packages/contract/src/alarm-words/es.ts';
import { alarmWords as zh } from '../../packages/contract/src/alarm-words/zh.ts';
import { adviceFor } from '../../packages/server/src/alarms/rules.ts';

type Words = Readonly<Record<string, AlarmWords>>;

test.each([
  ['en', en, 'For your installer: ', /call (your|its) installer/, /fuse|voltage|cable|generator|fan\b|measure|signal/i],
  ['de', de, 'Für Ihren Installateur: ', /rufen Sie (Ihren|den) Installateur/, /Sicherung|Spannung|Kabel|Generator|Lüfter\b|Netzwerk|messen/],
  ['es', es, 'Para su instalador: ', /llame a su instalador/, /fusible|tensión|cable|generador|ventilador|señal|medir/i],
  ['zh', zh, '安装商：', /联系(其)?安装商/, /熔断器|电压|电缆|发电机|风扇|无线信号|测量/],
] as const)('owners are to look and to call; cables, fuses and what is measured are left to the installer: %s', (_, words: Words, toInstaller, call, work) => {
  expect(Object.keys(words)).toHaveLength(9);
  for (const [code, { advice, adviceAtNothing }] of Object.entries(words))
    for (const text of [advice, ...(adviceAtNothing === undefined ? [] : [adviceAtNothing])]) {
      const [own, rest] = text.split(toInstaller);
      expect(own, code).toMatch(call);
      expect(own, code).not.toMatch(work);
      // Nobody works on a hot battery on advice.
      if (code !== 'H107') expect(rest, code).toMatch(work);
    }
});

test('the service gives the same advice on the wire', () => {
  for (const [code, { advice }] of Object.entries(en)) expect(adviceFor(code, '')).toBe(advice);
});
