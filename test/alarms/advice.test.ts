import { expect, test } from 'vitest';
import { alarmWords as de } from '../../packages/contract/src/alarm-words/de.ts';
import { alarmWords as en } from '../../packages/contract/src/alarm-words/en.ts';
import { alarmWords as es } from '../../packages/contract/src/alarm-words/es.ts';
import { alarmWords as zh } from '../../packages/contract/src/alarm-words/zh.ts';

test.each([
  ['en', en, 'For your installer: ', /fuse|voltage/i],
  ['de', de, 'Für Ihren Installateur: ', /Sicherung|Spannung/i],
  ['es', es, 'Para su instalador: ', /fusible|tensión/i],
  ['zh', zh, '安装商：', /熔断器|电压/],
] as const)('fuses and voltages are left to the installer: %s', (_, { H102, H103 }, toInstaller, dangerous) => {
  for (const advice of [H102.advice, H103.advice, H103.adviceAtNothing]) {
    const [own, work] = advice!.split(toInstaller);
    expect(own).not.toMatch(dangerous);
    expect(work).toMatch(dangerous);
  }
});
