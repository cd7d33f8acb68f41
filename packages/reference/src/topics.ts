import { CO2_KG_PER_KWH, CO2_KG_PER_TREE, errors, explainedUnit, type ErrorCode } from '@helioport/contract';
import { html, prose, rowTable, table, type Content, type Html } from './html.ts';

/** A part of the page that is about no single operation. */
export interface Topic {
  readonly id: string;
  readonly title: string;
  readonly content: Content;
}

/** What holds for every answer of both interfaces. */
export const answersTopic: Topic = {
  id: 'answers',
  title: 'Requests and answers',
  content: html`<p>
      Every operation is a POST with a JSON object; an empty body counts as <code>{}</code>. Numbers may be sent as text, unknown keys are ignored, and an empty
      value counts as not sent.
    </p>
    <p>
      Every answer is an envelope: <code>{"success", "code", "msg", "data"}</code>. Read <code>code</code>, which is text: <code>"0"</code> when the call
      worked, else one of the list of errors. Business errors come with HTTP status 200.
    </p>
    <p>Ids are strings of digits, never numbers. A field whose value is not known is left out; nothing is made up.</p>
    <p>
      Lists are ordered by id, alarms newest first. <code>pageNo</code> counts from 1, <code>pageSize</code> is 20 unless you say otherwise. A page begins where
      your page before it ended, if you ask within an hour, so that while rows come and go you see none twice and miss none that was there all the time. Where
      several instances answer, <code>minId</code> (the last id and one) does the same for lists by id.
    </p>`,
};

/** How quantities and times are written. */
export const unitsTopic: Topic = {
  id: 'units',
  title: 'Units and times',
  content: [
    table(
      ['Quantity', 'Unit', 'How it changes'],
      [
        ['power in lists and details', 'kW', prose('always; `...Str` names it')],
        ['power in rows of charts', 'W', prose('raw; times `...Pec` it is in the unit of `...Str`')],
        ['energy of a day', 'kWh', prose('always; `...1` where there is one, too')],
        ['energy of a month, a year, all time', 'kWh', 'MWh from 1,000 kWh and GWh from 1,000,000 kWh, together with its unit'],
        ['energy in rows of charts', 'kWh', prose('raw; times `...Pec` it is in the unit of `...Str`')],
        ['rated power of modules', 'kWp', 'MWp from 1,000 kWp, together with its unit'],
        ['money', 'the plant’s currency', prose('thousands with the prefix K from 100,000 on; rows of charts are raw with `...Pec`')],
        ['voltage, current, frequency', 'V, A, Hz', 'always'],
        ['temperature', '℃', 'always'],
        ['CO2', 't or kg', `${CO2_KG_PER_KWH} kg are avoided by each kWh produced`],
        ['trees', explainedUnit('棵'), `one takes up ${CO2_KG_PER_TREE} kg of CO2 in a year`],
      ],
    ),
    html`<p>
        Battery power is positive while charging, grid power while exporting. Self-consumption is what was produced and not fed in; full-load hours are energy
        over rated power.
      </p>
      <p>
        Money is energy at the price in force when it flowed: <code>money</code> and the incomes are of energy produced, <code>gridPurchasedIncome</code> is the
        cost of energy bought, <code>gridSellIncome</code> the income of energy sold. The first <code>price</code> of a plant counts since ever, another one
        from the moment of the change on. Prices of energy bought and sold, of the past, and by the time of day are the operator’s to set; where no price is
        known the amounts are left out.
      </p>
      <p>
        An energy that inverters and a meter tell is counted once: by the meter (production by the inverters), or by the other where that one measured clearly
        more of the day or the month. Irradiation is that of one weather station. The peak of a plant is the highest sum of its inverters at one time, not the
        sum of their peaks: of several inverters <code>stationDetail</code> alone tells it.
      </p>
      <p>
        Both factors of CO2 are conventions of monitoring portals, kept so that figures compare, not measurements of your grid. ${CO2_KG_PER_KWH} kg/kWh is the
        world’s average of 2018 (IEA, Global Energy &amp; CO2 Status Report 2018); later averages are lower (Ember: 0.436 for 2022), and countries differ
        widely. For the ${CO2_KG_PER_TREE} kg of a tree no measurement is known. The trees are as many as take up in one year what the plant has avoided so far.
      </p>
      <p>
        Instants are milliseconds since 1970 UTC, some of them as text. Days, months and years are those of the plant’s own time zone, across daylight-saving
        time; a <code>timeZone</code> that is sent is checked and otherwise without effect. <code>date</code> of a chart’s row is noon of the local day, in
        energy lists midnight.
      </p>`,
  ],
};

/** So many of something. */
export interface Limit {
  readonly what: string;
  readonly value: string;
}

/** Limits of both interfaces. */
export const commonLimits: readonly Limit[] = [
  { what: 'body of a request', value: '1 MiB' },
  { what: 'records of a page', value: '100' },
  { what: 'serial numbers or ids in a list', value: '1,000' },
  { what: 'rows of a day’s chart of an inverter', value: '2,880, the last reading of each 30 s' },
];

export const limitsTopic = (limits: readonly Limit[]): Topic => ({
  id: 'limits',
  title: 'Limits',
  content: table(
    ['What', 'Limit'],
    limits.map(({ what, value }) => [what, value]),
  ),
});

/** Refusals that any operation may answer, then those of the operations. */
export const errorsTopic = (names: readonly ErrorCode[], advice: Partial<Record<ErrorCode, string>> = {}): Topic => ({
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
