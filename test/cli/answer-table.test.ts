import { operations } from '@helioport/contract';
import { describe, expect, test } from 'vitest';
import { answerTable } from '../../packages/server/src/interfaces/cli/signing/answer-table.ts';

/** The cells of a table's lines. */
const cells = (data: unknown): string[][] =>
  answerTable(data)
    .split('\n')
    .map((line) => line.split(/ {2,}/));

describe('the table of an answer', () => {
  test('shows the rows of a chart in the unit beside them: times their multiplier, which has no column', () => {
    const rows = [
      {
        timeStr: '10:00',
        pac: 4293,
        pacStr: 'kW',
        pacPec: '0.001',
        eToday: 12.5,
        eTodayStr: 'kWh',
      },
      { timeStr: '10:05', pac: 0, pacStr: 'kW', pacPec: '0.001', eToday: 12.6, eTodayStr: 'kWh' },
    ];
    expect(cells(rows)).toEqual([
      ['timeStr', 'pac', 'eToday'],
      ['10:00', '4.293 kW', '12.5 kWh'],
      ['10:05', '0 kW', '12.6 kWh'],
      ['2 rows'],
    ]);
  });

  test('shows no digits that a multiplication made up, and money and large energies in theirs', () => {
    const [row] = cells([
      {
        energy: 7425.031,
        energyStr: 'MWh',
        energyPec: '0.001',
        money: 123_456.7,
        moneyStr: 'KEUR',
        moneyPec: '0.001',
        pac: 1.1,
        pacStr: 'kW',
        pacPec: '0.001',
      },
    ]).slice(1);
    expect(row).toEqual(['0.0011 kW', '7.425031 MWh', '123.4567 KEUR']);
  });

  test('shows a chart of the contract as it is meant', () => {
    expect(answerTable(operations.inverterDay.example.data)).toContain('3.2005 kW');
    expect(answerTable(operations.inverterDay.example.data)).not.toMatch(/pacPec|3200\.5/);
    expect(answerTable(operations.stationAll.example.data)).toContain('7.425031 MWh');
  });

  test('shows days and times as text, not beside their number', () => {
    expect(
      cells([{ date: 1_793_962_800_000, dateStr: '2026-11-06', energy: 1, energyStr: 'kWh' }]),
    ).toEqual([['dateStr', 'energy'], ['2026-11-06', '1 kWh'], ['1 rows']]);
  });

  test('says what the wire’s word for trees means', () => {
    expect(answerTable({ powerStationNumTree: 405.7, powerStationNumTreeUnit: '棵' })).toMatch(
      /^powerStationNumTree +405\.7 trees$/m,
    );
    const { schema } = operations.stationDetail.response;
    for (const name of ['powerStationNumTree', 'powerStationNumTreeUnit'])
      expect(schema.properties![name]!.description).toContain('棵 (trees)');
  });

  test('says of an answer without data that it is done, and prints text as it is', () => {
    expect([answerTable(null), answerTable('1300386381676644416'), answerTable(true)]).toEqual([
      'done',
      '1300386381676644416',
      'true',
    ]);
  });
});
