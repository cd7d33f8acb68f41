import {
  CO2_KG_PER_KWH,
  CO2_KG_PER_TREE,
  errors,
  explainedUnit,
  type ErrorCode,
} from '@helioport/contract';
import { html, prose, rowTable, table, type Content, type Html } from './html.ts';

/** A part of the page that is not about a single operation. */
export interface Topic {
  readonly id: string;
  readonly title: string;
  readonly content: Content;
}

/** The rules for every request and answer of both interfaces. */
export const answersTopic: Topic = {
  id: 'answers',
  title: 'Requests and answers',
  content: html`<p>
      Every operation is a POST with a JSON object; an empty body counts as <code>{}</code>. Numbers
      may be sent as strings, unknown keys are ignored, and an empty value counts as not sent.
    </p>
    <p>
      Every answer is an envelope: <code>{"success", "code", "msg", "data"}</code>. Read
      <code>code</code>, a string: <code>"0"</code> on success, otherwise one of the errors listed
      below. Business errors have HTTP status 200.
    </p>
    <p>
      Ids are strings of digits, never numbers. A field whose value is unknown is omitted, never
      guessed.
    </p>
    <p>
      Lists are ordered by id, alarms newest first. <code>pageNo</code> counts from 1,
      <code>pageSize</code> is 20 by default. A page that you request within an hour of the previous
      one begins where that one ended. So you see no record twice, and miss none that existed all
      the time, even while records are added and removed. With <code>minId</code> (the last id plus
      one) you can also page through lists ordered by id yourself.
    </p>`,
};

/** How quantities and times are written. */
export const unitsTopic: Topic = {
  id: 'units',
  title: 'Units and times',
  content: [
    table(
      ['Quantity', 'Unit', 'Form'],
      [
        ['power in lists and details', 'kW', prose('always, as `...Str` says')],
        ['power in chart rows', 'W', prose('raw; multiplied by `...Pec`, in the unit of `...Str`')],
        ['energy of a day', 'kWh', prose('always; also in `...1` where it exists')],
        [
          'energy of a month, a year, all time',
          'kWh',
          'MWh from 1,000 kWh and GWh from 1,000,000 kWh; the unit field changes with it',
        ],
        [
          'energy in chart rows',
          'kWh',
          prose('raw; multiplied by `...Pec`, in the unit of `...Str`'),
        ],
        ['rated power of modules', 'kWp', 'MWp from 1,000 kWp; the unit field changes with it'],
        [
          'money',
          'the plant’s currency',
          prose('thousands with the prefix K from 100,000 on; chart rows are raw with `...Pec`'),
        ],
        ['voltage, current, frequency', 'V, A, Hz', 'always'],
        ['temperature', '℃', 'always'],
        ['CO2', 't or kg', `${CO2_KG_PER_KWH} kg avoided per kWh produced`],
        ['trees', explainedUnit('棵'), `one absorbs ${CO2_KG_PER_TREE} kg of CO2 a year`],
      ],
    ),
    html`<p>
        Battery power is positive while charging, grid power while exporting. Self-consumption is
        energy produced and not fed in; full-load hours are energy divided by rated power.
      </p>
      <p>
        Money is energy times the price in force when it flowed: <code>money</code> and the incomes
        are for energy produced, <code>gridPurchasedIncome</code> is the cost of energy bought,
        <code>gridSellIncome</code> the income from energy sold. The first <code>price</code> of a
        plant applies to all time; a later one applies from the moment of the change on. The
        operator sets prices of energy bought and sold, prices for the past, and prices by time of
        day. If no price is known, amounts are omitted.
      </p>
      <p>
        If both inverters and a meter measure the same energy, it is counted only once. Production
        is taken from the inverters and all other energy from the meter, unless the other device
        covered clearly more of the day or the month. Irradiation is that of one weather station.
        The peak of a plant is the highest sum of its inverters at one time, not the sum of their
        peaks; with several inverters, only <code>stationDetail</code> has it.
      </p>
      <p>
        Both CO2 factors are conventions of monitoring portals, kept so that figures can be
        compared; they are not measurements of your grid. ${CO2_KG_PER_KWH} kg/kWh is the world
        average for 2018 (IEA, Global Energy &amp; CO2 Status Report 2018); later averages are lower
        (Ember: 0.436 for 2022), and countries differ widely. The ${CO2_KG_PER_TREE} kg per tree are
        not known to come from a measurement. The number of trees is the number that would absorb in
        one year the CO2 that the plant has avoided so far.
      </p>
      <p>
        Instants are milliseconds since 1970 UTC, some of them as strings. Days, months and years
        are those of the plant’s own time zone, across daylight-saving time changes; a
        <code>timeZone</code> in the request is validated but has no effect. In chart rows,
        <code>date</code> is noon of the local day; in energy lists, midnight.
      </p>`,
  ],
};

/** A limit, as shown in the table of limits. */
export interface Limit {
  readonly what: string;
  readonly value: string;
}

/** Limits of both interfaces. */
export const commonLimits: readonly Limit[] = [
  { what: 'request body', value: '1 MiB' },
  { what: 'records per page', value: '100' },
  { what: 'serial numbers or ids in a list', value: '1,000' },
  { what: 'rows of an inverter’s day chart', value: '2,880, the last reading of each 30 s' },
];

export const limitsTopic = (limits: readonly Limit[]): Topic => ({
  id: 'limits',
  title: 'Limits',
  content: table(
    ['What', 'Limit'],
    limits.map(({ what, value }) => [what, value]),
  ),
});

/** The table of errors. */
export const errorsTopic = (
  names: readonly ErrorCode[],
  advice: Partial<Record<ErrorCode, string>> = {},
): Topic => ({
  id: 'errors',
  title: 'Errors',
  content: rowTable(
    ['Code', 'HTTP', 'Cause', 'What to do'],
    names.map((name) => {
      const { code, status, message, advice: usual } = errors[name];
      return { cells: [html`<code>${code}</code>`, status, message, prose(advice[name] ?? usual)] };
    }),
  ),
});

export const topicSection = ({ id, title, content }: Topic): Html =>
  html`<section id="${id}" data-part data-in="start">
    <h2><a href="#${id}">${title}</a></h2>
    ${content}
  </section> `;
